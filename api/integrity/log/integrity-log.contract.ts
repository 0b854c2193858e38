import { Type } from 'typebox';
import { pollIdParams, pollIdSchema } from '#api/polls/polls.contract.ts';
import { get } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import { closed, count, described, maybeMoment, maybeText, moment, named, nullable, query } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';

/*
 * The vote log of a poll, and the site-wide log. Notes, entries, and the ballots file are texts whose bytes are hashed and
 * signed: they must be used unchanged. Hashes and proofs are base64 with padding. Besides these endpoints, `/integrity/key`
 * has the site’s verifier key, and `/integrity/log/…` the site-wide log as C2SP tlog-tiles.
 */

/** Checkpoints, or entries of the site-wide log, in one response. */
export const checkpointsPerPage = 1_000;

const hash = Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$', description: '32 bytes in base64' });
const proof = Type.Array(hash, { description: 'Hashes from the leaf’s side to the root (RFC 9162)' });
const note = Type.String({ description: 'A checkpoint as a C2SP signed note' });
/** A number in a query: a size or a place in a list. */
const sizeText = Type.String({ pattern: '^(0|[1-9][0-9]{0,14})$' });

/** A ballot paper: what was voted on, as its tag hashes it. */
const ballotPaperSchema = named('BallotPaper', {
  origin: Type.String(),
  poll: pollIdSchema,
  question: Type.String(),
  options: Type.Array(closed({ id: Type.String(), label: Type.String() }), {
    description: 'In the order of their numbers',
  }),
  choice: Type.Optional(
    Type.String({
      pattern: '^(one|several [0-9]{1,5} [0-9]{1,5})$',
      description: 'What a ballot chooses: one option, or from so many to so many; missing on papers of format 1',
    }),
  ),
});
export type BallotPaper = Static<typeof ballotPaperSchema>;

/** A published state of a closed poll: the newest version applies, the older ones stay available. */
const pollLogResultSchema = named('PollLogResult', {
  version: Type.Integer({ minimum: 1 }),
  ballots: described(count, 'Lines in the ballots file'),
  size: described(count, 'Leaves in the log when it was made'),
  sha256: described(hash, 'Of the uncompressed ballots file'),
  bytes: described(count, 'Size of the ballots file, compressed; 0 where ballots are not published'),
  publishedAt: moment,
});
export type PollLogResult = Static<typeof pollLogResultSchema>;

/** The log of one poll. */
const pollLogSchema = named('PollLog', {
  origin: Type.String(),
  siteOrigin: described(maybeText, 'Of the site-wide log with this poll’s entries; null: not a public poll'),
  verifierKeys: Type.Array(Type.String(), {
    description: 'C2SP verifier keys for this origin, newest first; several while a new key replaces an old one',
  }),
  paper: ballotPaperSchema,
  tag: described(hash, 'SHA-256 of the encoded paper as it was when the poll opened'),
  closed: Type.Boolean({ description: 'All votes are in the log, and there is a result' }),
  publishesBallots: Type.Boolean(),
  size: described(count, 'Leaves in the newest checkpoint'),
  waiting: described(count, 'Votes for a later checkpoint, as far as they have been collected'),
  base: Type.Array(count, {
    description: 'Votes per option that are in no log: imported, or cast before there was one',
  }),
  firstCheckpoint: described(count, 'Number of the first checkpoint in the list; number 0 has size 0'),
  checkpoints: Type.Array(note),
  checkpointCount: count,
  results: Type.Array(pollLogResultSchema),
});
export type PollLog = Static<typeof pollLogSchema>;

const pollIntegritySchema = named('PollIntegrity', {
  minimumBatch: Type.Integer({ description: 'Votes that a checkpoint adds at least, unless the poll has fewer' }),
  closedAt: described(maybeMoment, 'A promised vote is in a result an hour later'),
  difference: described(maybeText, 'How the result differs from its log, as the site has found; null: not at all'),
  log: nullable(pollLogSchema, { description: 'Null: its votes were cast before there were logs' }),
});
export type PollIntegrity = Static<typeof pollIntegritySchema>;

/** An inclusion proof, or null where no checkpoint has this leaf: its vote may be waiting. */
const leafInclusionSchema = named('LeafInclusion', {
  inclusion: nullable(closed({ index: count, proof })),
  checkpoint: described(note, 'The newest checkpoint, against whose root the proof is made'),
});
export type LeafInclusion = Static<typeof leafInclusionSchema>;

const logConsistencySchema = named('LogConsistency', {
  proof,
  checkpoint: described(note, 'The newest checkpoint, to whose size the proof leads'),
});
export type LogConsistency = Static<typeof logConsistencySchema>;

const provenEntry = closed({ index: count, text: Type.String(), proof });

/** A poll’s entries of the site-wide log, each with its inclusion proof. */
const pollSiteEntriesSchema = named('PollSiteEntries', {
  checkpoint: described(note, 'The newest checkpoint of the site-wide log; all proofs are against its root'),
  handovers: Type.Array(closed({ note, entry: provenEntry }), {
    description:
      'On the first page, for readers who know an earlier key, oldest first: a checkpoint of a site-wide log that the key before signed, and the entry in it that announces the next key',
  }),
  witnesses: Type.Array(Type.String(), {
    description: 'Verifier keys of the witnesses that are asked for cosignatures',
  }),
  cosigned: Type.Array(closed({ note, proof }), {
    description:
      'On the first page, the newest checkpoint that each witness has cosigned, as a note with their lines only, and the proof that leads from its size to that of `checkpoint`',
  }),
  entries: Type.Array(provenEntry, { description: 'In the order of the log' }),
  next: nullable(count, { description: '`from` of the next page; null: these are the last' }),
});
export type PollSiteEntries = Static<typeof pollSiteEntriesSchema>;

const fromQuery = query({ from: sizeText });
const consistencyQuery = closed({ from: sizeText });
const pollErrors = ['POLL_NOT_FOUND', 'PRIVATE_POLL_AUTH_REQUIRED', 'PRIVATE_POLL_ACCESS_DENIED'] as const;

export const integrityLogEndpoints = {
  pollIntegrity: {
    ...get('/api/polls/:id/integrity'),
    client: false,
    summary: 'Ballot paper, checkpoints, and results of a poll’s log; `from`: number of the first checkpoint',
    params: pollIdParams,
    query: fromQuery,
    status: 200,
    response: pollIntegritySchema,
    errors: pollErrors,
  },
  pollInclusion: {
    ...get('/api/polls/:id/integrity/inclusion'),
    client: false,
    summary: 'Proof that a leaf is in a poll’s log; `after`: skip the checkpoints up to this size',
    params: pollIdParams,
    query: closed({
      leaf: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'The leaf hash; never send a receipt' }),
      after: Type.Optional(sizeText),
    }),
    status: 200,
    response: leafInclusionSchema,
    errors: [...pollErrors, 'NOT_FOUND'],
  },
  pollConsistency: {
    ...get('/api/polls/:id/integrity/consistency'),
    client: false,
    summary: 'Proof that a poll’s log still begins with what it had at size `from`',
    params: pollIdParams,
    query: consistencyQuery,
    status: 200,
    response: logConsistencySchema,
    errors: [...pollErrors, 'NOT_FOUND'],
  },
  pollSiteEntries: {
    ...get('/api/polls/:id/integrity/site-entries'),
    client: false,
    summary: 'A poll’s entries of the site-wide log, with proofs; `from`: index of the first one',
    params: pollIdParams,
    query: fromQuery,
    status: 200,
    response: pollSiteEntriesSchema,
    errors: [...pollErrors, 'NOT_FOUND'],
  },
  pollBallots: {
    ...get('/api/polls/:id/integrity/ballots/:version'),
    client: false,
    summary: 'A ballots file of a closed poll, always compressed with gzip',
    params: closed({ id: pollIdSchema, version: Type.String({ pattern: '^[1-9][0-9]{0,8}$' }) }),
    status: 200,
    responseType: 'text/plain',
    errors: [...pollErrors, 'NOT_FOUND'],
  },
  siteConsistency: {
    ...get('/api/integrity/consistency'),
    client: false,
    summary: 'Proof that the site-wide log still begins with what it had at size `from`',
    query: closed({
      from: sizeText,
      origin: Type.Optional(
        Type.String({ maxLength: 300, description: 'Of an earlier site-wide log, continued after a restore' }),
      ),
    }),
    status: 200,
    response: logConsistencySchema,
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>;
