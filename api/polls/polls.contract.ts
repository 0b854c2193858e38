import { Type } from 'typebox';
import {
  allVoteFigures,
  ballotProtection,
  variedOrder,
  ballotsPublished,
  logDifference,
  countedApart,
  voteFigures,
} from '#api/voting/vote-figures.contract.ts';
import * as limits from '#contract/limits.ts';
import { promiseSchema } from '#contract/promise.ts';
import { get, post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import {
  adjusted,
  closed,
  count,
  described,
  maybeMoment,
  maybeText,
  moment,
  named,
  numbersByName,
  oneOf,
  query,
  soughtText,
} from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';
import { historicalSorts, pollIdPattern } from '#contract/vocabulary.ts';

const stated = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));

/** What the operator stated of answers that were collected elsewhere; what is not known is left out. */
export const provenanceSchema = closed({
  source: stated('Who asked'),
  sample: stated('Who was asked, and how many'),
  fieldDates: stated('When they were asked'),
  mode: stated('How they were asked'),
  sponsor: stated('Who paid'),
  license: stated('Under what terms the source lets others use the answers'),
  link: stated('The http(s) address of the source'),
});
export type Provenance = Static<typeof provenanceSchema>;

/** Where the answers come from. */
const answersOrigin = {
  origin: Type.Optional(
    oneOf(['imported', 'both', 'demo'], {
      description: 'Omitted if all answers were cast here; demo: with invented counts',
    }),
  ),
};

export const pollIdSchema = Type.String({ pattern: pollIdPattern });

/** The path parameters of every endpoint about one poll. */
export const pollIdParams = closed({ id: pollIdSchema });

/** An option of a poll with its counted votes: the sum of imported votes and votes cast here. */
export const pollOptionSchema = named('PollOption', { id: Type.String(), text: Type.String(), votes: count });
export type PollOption = Static<typeof pollOptionSchema>;

export const countryShareSchema = named('CountryShare', {
  name: Type.String(),
  percentage: Type.Number({ minimum: 0, maximum: 100 }),
});
export type CountryShare = Static<typeof countryShareSchema>;

/** A poll in the archive's list, without the long texts of its report. */
export const pollCardSchema = named('PollCard', {
  id: pollIdSchema,
  question: Type.String(),
  description: Type.String(),
  options: Type.Array(pollOptionSchema),
  totalVotes: count,
  ...voteFigures,
  ...answersOrigin,
  isActive: Type.Boolean(),
  createdAt: moment,
  startsAt: moment,
  endsAt: moment,
  updatedAt: moment,
  closedAt: maybeMoment,
  category: maybeText,
  tags: Type.Array(Type.String()),
  author: maybeText,
});
export type PollCard = Static<typeof pollCardSchema>;

/**
 * A weekly poll, open or closed. `hasVoted` and `userVote` are about the caller (device, voter cookie or account), and false
 * and null where the caller is unknown.
 */
export const pollSchema = named('Poll', {
  ...pollCardSchema.properties,
  ...ballotsPublished,
  ...logDifference,
  ...ballotProtection,
  ...variedOrder,
  ...countedApart,
  series: Type.Optional(
    Type.String({ description: 'Omitted if it belongs to none; polls of one series ask the same question' }),
  ),
  hasVoted: Type.Boolean(),
  userVote: maybeText,
  summary: maybeText,
  analysis: described(maybeText, 'HTML, sanitized on import'),
  methodologyNotes: maybeText,
  countryBreakdown: Type.Array(countryShareSchema),
  provenance: Type.Optional(described(provenanceSchema, 'Omitted if nothing is stated')),
});
export type Poll = Static<typeof pollSchema>;

/**
 * One page of the archive. `total` counts the whole filtered archive; `categories` starts with "all"; `years` are those in
 * which polls of the whole archive closed, newest first.
 */
export const historicalPageSchema = named('HistoricalPage', {
  polls: Type.Array(pollCardSchema),
  total: count,
  categories: Type.Array(Type.String()),
  years: Type.Array(Type.Integer(), { maxItems: limits.archiveYears }),
});
export type HistoricalPage = Static<typeof historicalPageSchema>;

export const relatedPollSchema = named('RelatedPoll', { id: pollIdSchema, question: Type.String(), totalVotes: count });
export type RelatedPoll = Static<typeof relatedPollSchema>;

/** The body of a vote. */
const optionId = Type.String({ minLength: 1, maxLength: 80 });

/** What a vote on any ballot chooses. */
export const chosenOptions = {
  optionId: Type.Optional(optionId),
  optionIds: Type.Optional(
    Type.Array(optionId, {
      ...{ minItems: 1, maxItems: limits.communityOptionsMax, uniqueItems: true },
      description: 'Instead of optionId, where a vote may choose several options: those that are chosen',
    }),
  ),
};

const voteRequestSchema = named('VoteRequest', { optionId });

/** Clients may add `v` and `t` to any read that must not be cached; the server ignores them. */
const cacheBuster = { v: Type.String(), t: Type.String() };

const periodsSchema = Type.Array(
  closed({
    startsAt: moment,
    votes: numbersByName('Votes of each option that had some, by its id'),
  }),
  { description: 'Periods with votes, oldest first' },
);

/** When votes on a closed poll were cast: by day, and the first 48 hours by hour if there were enough; in UTC. */
export const votesOverTimeSchema = closed({ days: periodsSchema, hours: periodsSchema });
export type VotesOverTime = Static<typeof votesOverTimeSchema>;

/** The results of a closed poll as published in /poll/{id}.json: sums, never a single vote. */
export const openResultsSchema = named('OpenResults', {
  poll: closed({
    id: pollIdSchema,
    question: Type.String(),
    description: Type.String(),
    category: maybeText,
    tags: Type.Array(Type.String()),
    author: maybeText,
    startsAt: moment,
    closedAt: maybeMoment,
    updatedAt: moment,
    report: Type.String({ description: 'Address of the report' }),
  }),
  totalVotes: described(count, 'Counted votes'),
  ...voteFigures,
  ...allVoteFigures,
  ...countedApart,
  options: Type.Array(
    closed({
      id: Type.String(),
      text: Type.String(),
      rank: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 1,
        description: 'Equal votes share a rank; null without votes, and while votes are held for a decision',
      }),
      votes: count,
      percent: Type.Number({ minimum: 0, description: 'Of totalVotes, rounded to one decimal' }),
    }),
  ),
  countries: Type.Array(countryShareSchema),
  method: Type.Array(Type.String(), { description: 'How the votes were collected, and their limitations' }),
  citation: Type.String(),
  license: Type.String(),
  checksum: closed({
    algorithm: Type.Unsafe<'SHA-256'>({ type: 'string', const: 'SHA-256' }),
    of: Type.String({ description: 'The input of the digest' }),
    value: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  }),
});
export type OpenResults = Static<typeof openResultsSchema>;

/** The headline figures of the home page. Demonstration polls count only toward participants. */
export const statisticsSchema = named('Statistics', {
  totalVotes: Type.Integer({ minimum: 0, description: 'Votes on all publicly listed polls' }),
  importedVotes: Type.Integer({ minimum: 0, description: 'Those of them that came with imports' }),
  totalParticipants: Type.Integer({ minimum: 0, description: 'Distinct voters on this site' }),
  totalPolls: Type.Integer({ minimum: 0, description: 'Publicly listed polls' }),
});
export type Statistics = Static<typeof statisticsSchema>;

/** The receipt of a recorded vote; a retry gets the same one. */
export const receiptSchema = Type.String({
  pattern: '^([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}$',
  description: 'Finds this vote in the published ballots, and proves it to anyone who has it',
});

/** The response to a vote on a weekly poll: the poll with this vote in it, and the headline figures after it. */
export const votedPollSchema = named('VotedPoll', {
  ...pollSchema.properties,
  statistics: statisticsSchema,
  receipt: receiptSchema,
  promise: promiseSchema,
});

/** Errors of votes on polls of both kinds. */
export const voteErrors = [
  'DEVICE_ID_REQUIRED',
  'INVALID_OPTION',
  'ALREADY_VOTED',
  'CHALLENGE_REQUIRED',
  'EMAIL_REQUIRED',
  'EMAIL_CODE_WRONG',
  'EMAIL_CODE_EXPIRED',
  'ADDRESS_USED',
  'MEMBERS_ONLY',
  'CONFLICT',
  'POLL_CLOSED',
  'OVERLOADED',
] as const;

/** Weekly polls and the headline figures. */
export const pollEndpoints = {
  activePolls: {
    ...get('/api/polls/active'),
    device: 'optional',
    summary: 'This week’s open polls, as this voter sees them',
    query: query(cacheBuster),
    status: 200,
    response: Type.Array(pollSchema),
    errors: [],
  },
  statistics: {
    ...get('/api/statistics'),
    summary: 'The headline figures',
    query: query(cacheBuster),
    status: 200,
    response: statisticsSchema,
    errors: [],
  },
  poll: {
    ...get('/api/polls/:id'),
    device: 'optional',
    summary:
      'One poll, open or closed, as the asking voter sees it; one that has not started only with a preview token',
    params: pollIdParams,
    query: query({
      preview: Type.String({
        description:
          'Token from the operator’s list of polls: shows also what is not published; with a wrong one there is no such poll',
      }),
      ...cacheBuster,
    }),
    status: 200,
    response: pollSchema,
    errors: ['POLL_NOT_FOUND', 'POLL_DELETED', 'VALIDATION_FAILED'],
  },
  vote: {
    ...post('/api/polls/:id/vote'),
    device: 'required',
    summary: 'Cast one vote; the answer is the poll with this vote in it, and the headline figures',
    params: pollIdParams,
    body: voteRequestSchema,
    status: 200,
    response: votedPollSchema,
    errors: ['POLL_NOT_FOUND', ...voteErrors],
  },
  historicalPolls: {
    ...get('/api/polls/historical/paginated'),
    summary: 'One page of the archive of closed polls',
    query: query({
      page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
      limit: Type.Integer({ minimum: 1, maximum: limits.historicalPageSizeMax, default: limits.historicalPageSize }),
      sort: oneOf(historicalSorts, { default: 'newest' }),
      category: adjusted(soughtText, { maxLength: limits.importShortText }),
      ...cacheBuster,
    }),
    status: 200,
    response: historicalPageSchema,
    errors: ['VALIDATION_FAILED'],
  },
  relatedPolls: {
    ...get('/api/polls/related/:category/:id'),
    client: false,
    cache: 'public',
    summary: 'Other closed polls in the same category, most votes first',
    params: closed({
      category: adjusted(soughtText, { minLength: 1, maxLength: limits.importShortText }),
      id: pollIdSchema,
    }),
    status: 200,
    response: Type.Array(relatedPollSchema, { maxItems: limits.relatedPolls }),
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;
