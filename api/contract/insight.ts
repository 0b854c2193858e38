import type { FromSchema } from 'json-schema-to-ts';
import { pollIdParams } from './poll.ts';
import type { Endpoint } from './routes.ts';
import { routes } from './routes.ts';
import { count, day, maybeText, moment } from './scalars.ts';

/** How the link of a poll was shared: copied, or passed to the system’s share sheet. */
export const shareTargets = ['copy', 'system'] as const;
export type ShareTarget = (typeof shareTargets)[number];

/** What is counted per poll and day. */
export const insightKinds = ['vote', 'share', 'embed'] as const;
export type InsightKind = (typeof insightKinds)[number];

/** Labels in place of a host name. */
export const hostLabels = { none: '(none)', own: '(this site)', other: '(other)' } as const;

/** Hosts of one kind that are named per poll, and in the response; the others are counted together. */
export const hostsPerPoll = 100;
export const hostsListed = 20;

/** Days that the figures of the site cover. */
export const siteInsightDays = 30;

const counts = {
  type: 'array',
  description: 'Most frequent first',
  items: {
    type: 'object',
    required: ['label', 'count'],
    additionalProperties: false,
    properties: {
      label: { type: 'string', description: `A host name, a share target, or ${Object.values(hostLabels).join(', ')}` },
      count,
    },
  },
} as const;

const insightsSchema = {
  $id: 'Insights',
  type: 'object',
  required: ['question', 'received', 'counted', 'imported', 'hours', 'days', 'hosts', 'shares', 'embeds'],
  additionalProperties: false,
  properties: {
    question: { ...maybeText, description: 'Of the poll; null for the site' },
    received: { ...count, description: 'Votes cast here' },
    counted: { ...count, description: 'Those of them that are not set aside' },
    imported: { ...count, description: 'Votes that came with an import, in none of the other figures' },
    hours: {
      type: 'array',
      description: 'Received votes by hour, oldest first; hours without votes are left out',
      items: {
        type: 'object',
        required: ['startsAt', 'votes'],
        additionalProperties: false,
        properties: { startsAt: moment, votes: count },
      },
    },
    days: {
      type: 'array',
      description: 'Counted votes by day of polls whose votes have lost their hours; otherwise empty',
      items: {
        type: 'object',
        required: ['day', 'votes'],
        additionalProperties: false,
        properties: { day, votes: count },
      },
    },
    hosts: counts,
    shares: counts,
    embeds: counts,
  },
} as const;
export type Insights = FromSchema<typeof insightsSchema>;

/** Sums about polls for the operator, and what browsers report for them. */
export const insightEndpoints = {
  countShare: {
    ...routes.countShare,
    summary: 'Count that the link of a poll was shared; an unknown poll is ignored',
    params: pollIdParams,
    query: {
      type: 'object',
      additionalProperties: false,
      properties: { target: { type: 'string', enum: shareTargets } },
    },
    status: 204,
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED'],
  },
  pollInsights: {
    ...routes.pollInsights,
    admin: 'operator',
    scope: 'read',
    summary: 'Votes on a poll over time and by referring host, shares, and embed views',
    params: pollIdParams,
    status: 200,
    response: insightsSchema,
    errors: ['ADMIN_REQUIRED', 'POLL_NOT_FOUND'],
  },
  siteInsights: {
    ...routes.siteInsights,
    admin: 'operator',
    scope: 'read',
    summary: `The same for all polls of the operator: hours, hosts, shares, and embeds of the last ${siteInsightDays} days; sums of votes since the beginning`,
    status: 200,
    response: insightsSchema,
    errors: ['ADMIN_REQUIRED'],
  },
} as const satisfies Record<string, Endpoint>;
