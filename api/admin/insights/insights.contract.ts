import { Type } from 'typebox';
import { pollIdParams } from '#api/polls/polls.contract.ts';
import { get, post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import { closed, count, day, described, maybeText, moment, named, oneOf, query } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';

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

const counts = Type.Array(
  closed({
    label: Type.String({ description: `A host name, a share target, or ${Object.values(hostLabels).join(', ')}` }),
    count,
  }),
  { description: 'Most frequent first' },
);

const insightsSchema = named('Insights', {
  question: described(maybeText, 'Of the poll; null for the site'),
  received: described(count, 'Votes cast here'),
  counted: described(count, 'Those of them that are not set aside'),
  imported: described(count, 'Votes that came with an import, in none of the other figures'),
  hours: Type.Array(closed({ startsAt: moment, votes: count }), {
    description: 'Received votes by hour, oldest first; hours without votes are left out',
  }),
  days: Type.Array(closed({ day, votes: count }), {
    description: 'Counted votes by day of polls whose votes have lost their hours; otherwise empty',
  }),
  hosts: counts,
  shares: counts,
  embeds: counts,
});
export type Insights = Static<typeof insightsSchema>;

/** Sums about polls for the operator, and what browsers report for them. */
export const insightEndpoints = {
  countShare: {
    ...post('/api/polls/:id/shares'),
    summary: 'Count that the link of a poll was shared; an unknown poll is ignored',
    params: pollIdParams,
    query: query({ target: oneOf(shareTargets) }),
    status: 204,
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED'],
  },
  pollInsights: {
    ...get('/api/admin/polls/:id/insights'),
    admin: 'operator',
    scope: 'read',
    summary: 'Votes on a poll over time and by referring host, shares, and embed views',
    params: pollIdParams,
    status: 200,
    response: insightsSchema,
    errors: ['ADMIN_REQUIRED', 'POLL_NOT_FOUND'],
  },
  siteInsights: {
    ...get('/api/admin/insights'),
    admin: 'operator',
    scope: 'read',
    summary: `The same for all polls of the operator: hours, hosts, shares, and embeds of the last ${siteInsightDays} days; sums of votes since the beginning`,
    status: 200,
    response: insightsSchema,
    errors: ['ADMIN_REQUIRED'],
  },
} as const satisfies Record<string, Endpoint>;
