import type { FromSchema } from 'json-schema-to-ts';
import { pollIdParams, pollIdSchema } from './poll.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count, maybeMoment, maybeText, moment } from './scalars.ts';

/*
 * The vote log of a poll, and the site-wide log. Notes, entries, and the ballots file are texts whose bytes are hashed and
 * signed: they must be used unchanged. Hashes and proofs are base64 with padding. Besides these endpoints, `/integrity/key`
 * has the site’s verifier key, and `/integrity/log/…` the site-wide log as C2SP tlog-tiles.
 */

/** Checkpoints, or entries of the site-wide log, in one response. */
export const checkpointsPerPage = 1_000;

const hash = { type: 'string', pattern: '^[A-Za-z0-9+/]{43}=$', description: '32 bytes in base64' } as const;
const proof = {
  type: 'array',
  items: hash,
  description: 'Hashes from the leaf’s side to the root (RFC 9162)',
} as const;
const note = { type: 'string', description: 'A checkpoint as a C2SP signed note' } as const;
/** A number in a query: a size or a place in a list. */
const sizeText = { type: 'string', pattern: '^(0|[1-9][0-9]{0,14})$' } as const;

/** A ballot paper: what was voted on, as its tag hashes it. */
const ballotPaperSchema = {
  $id: 'BallotPaper',
  type: 'object',
  required: ['origin', 'poll', 'question', 'options'],
  additionalProperties: false,
  properties: {
    origin: { type: 'string' },
    poll: pollIdSchema,
    question: { type: 'string' },
    options: {
      type: 'array',
      description: 'In the order of their numbers',
      items: {
        type: 'object',
        required: ['id', 'label'],
        additionalProperties: false,
        properties: { id: { type: 'string' }, label: { type: 'string' } },
      },
    },
    choice: {
      type: 'string',
      enum: ['one'],
      description: 'What a ballot chooses: one option; missing on papers of format 1',
    },
  },
} as const;
export type BallotPaper = FromSchema<typeof ballotPaperSchema>;

/** A published state of a closed poll: the newest version applies, the older ones stay available. */
const pollLogResultSchema = {
  $id: 'PollLogResult',
  type: 'object',
  required: ['version', 'ballots', 'size', 'sha256', 'bytes', 'publishedAt'],
  additionalProperties: false,
  properties: {
    version: { type: 'integer', minimum: 1 },
    ballots: { ...count, description: 'Lines in the ballots file' },
    size: { ...count, description: 'Leaves in the log when it was made' },
    sha256: { ...hash, description: 'Of the uncompressed ballots file' },
    bytes: { ...count, description: 'Size of the ballots file, compressed; 0 where ballots are not published' },
    publishedAt: moment,
  },
} as const;
export type PollLogResult = FromSchema<typeof pollLogResultSchema>;

/** The log of one poll. */
const pollLogSchema = {
  $id: 'PollLog',
  type: 'object',
  required: [
    'origin',
    'siteOrigin',
    'verifierKeys',
    'paper',
    'tag',
    'closed',
    'publishesBallots',
    'size',
    'waiting',
    'base',
    'firstCheckpoint',
    'checkpoints',
    'checkpointCount',
    'results',
  ],
  additionalProperties: false,
  properties: {
    origin: { type: 'string' },
    siteOrigin: { ...maybeText, description: 'Of the site-wide log with this poll’s entries; null: not a public poll' },
    verifierKeys: {
      type: 'array',
      items: { type: 'string' },
      description: 'C2SP verifier keys for this origin, newest first; several while a new key replaces an old one',
    },
    paper: ballotPaperSchema,
    tag: { ...hash, description: 'SHA-256 of the encoded paper as it was when the poll opened' },
    closed: { type: 'boolean', description: 'All votes are in the log, and there is a result' },
    publishesBallots: { type: 'boolean' },
    size: { ...count, description: 'Leaves in the newest checkpoint' },
    waiting: { ...count, description: 'Votes for a later checkpoint, as far as they have been collected' },
    base: {
      type: 'array',
      items: count,
      description: 'Votes per option that are in no log: imported, or cast before there was one',
    },
    firstCheckpoint: { ...count, description: 'Number of the first checkpoint in the list; number 0 has size 0' },
    checkpoints: { type: 'array', items: note },
    checkpointCount: count,
    results: { type: 'array', items: pollLogResultSchema },
  },
} as const;
export type PollLog = FromSchema<typeof pollLogSchema>;

const pollIntegritySchema = {
  $id: 'PollIntegrity',
  type: 'object',
  required: ['minimumBatch', 'closedAt', 'difference', 'log'],
  additionalProperties: false,
  properties: {
    minimumBatch: { type: 'integer', description: 'Votes that a checkpoint adds at least, unless the poll has fewer' },
    closedAt: { ...maybeMoment, description: 'A promised vote is in a result an hour later' },
    difference: {
      ...maybeText,
      description: 'How the result differs from its log, as the site has found; null: not at all',
    },
    log: { anyOf: [pollLogSchema, { type: 'null' }], description: 'Null: its votes were cast before there were logs' },
  },
} as const;
export type PollIntegrity = FromSchema<typeof pollIntegritySchema>;

/** An inclusion proof, or null where no checkpoint has this leaf: its vote may be waiting. */
const leafInclusionSchema = {
  $id: 'LeafInclusion',
  type: 'object',
  required: ['inclusion', 'checkpoint'],
  additionalProperties: false,
  properties: {
    inclusion: {
      anyOf: [
        {
          type: 'object',
          required: ['index', 'proof'],
          additionalProperties: false,
          properties: { index: count, proof },
        },
        { type: 'null' },
      ],
    },
    checkpoint: { ...note, description: 'The newest checkpoint, against whose root the proof is made' },
  },
} as const;
export type LeafInclusion = FromSchema<typeof leafInclusionSchema>;

const logConsistencySchema = {
  $id: 'LogConsistency',
  type: 'object',
  required: ['proof', 'checkpoint'],
  additionalProperties: false,
  properties: { proof, checkpoint: { ...note, description: 'The newest checkpoint, to whose size the proof leads' } },
} as const;
export type LogConsistency = FromSchema<typeof logConsistencySchema>;

const provenEntry = {
  type: 'object',
  required: ['index', 'text', 'proof'],
  additionalProperties: false,
  properties: { index: count, text: { type: 'string' }, proof },
} as const;

/** A poll’s entries of the site-wide log, each with its inclusion proof. */
const pollSiteEntriesSchema = {
  $id: 'PollSiteEntries',
  type: 'object',
  required: ['checkpoint', 'handovers', 'witnesses', 'cosigned', 'entries', 'next'],
  additionalProperties: false,
  properties: {
    checkpoint: { ...note, description: 'The newest checkpoint of the site-wide log; all proofs are against its root' },
    handovers: {
      type: 'array',
      description:
        'On the first page, for readers who know an earlier key, oldest first: a checkpoint of a site-wide log that the key before signed, and the entry in it that announces the next key',
      items: {
        type: 'object',
        required: ['note', 'entry'],
        additionalProperties: false,
        properties: { note, entry: provenEntry },
      },
    },
    witnesses: {
      type: 'array',
      items: { type: 'string' },
      description: 'Verifier keys of the witnesses that are asked for cosignatures',
    },
    cosigned: {
      type: 'array',
      description:
        'On the first page, the newest checkpoint that each witness has cosigned, as a note with their lines only, and the proof that leads from its size to that of `checkpoint`',
      items: {
        type: 'object',
        required: ['note', 'proof'],
        additionalProperties: false,
        properties: { note, proof },
      },
    },
    entries: { type: 'array', description: 'In the order of the log', items: provenEntry },
    next: { anyOf: [count, { type: 'null' }], description: '`from` of the next page; null: these are the last' },
  },
} as const;
export type PollSiteEntries = FromSchema<typeof pollSiteEntriesSchema>;

const fromQuery = { type: 'object', additionalProperties: false, properties: { from: sizeText } } as const;
const consistencyQuery = { ...fromQuery, required: ['from'] } as const;
const pollErrors = ['POLL_NOT_FOUND', 'PRIVATE_POLL_AUTH_REQUIRED', 'PRIVATE_POLL_ACCESS_DENIED'] as const;

export const integrityLogEndpoints = {
  pollIntegrity: {
    ...routes.pollIntegrity,
    summary: 'Ballot paper, checkpoints, and results of a poll’s log; `from`: number of the first checkpoint',
    params: pollIdParams,
    query: fromQuery,
    status: 200,
    response: pollIntegritySchema,
    errors: pollErrors,
  },
  pollInclusion: {
    ...routes.pollInclusion,
    summary: 'Proof that a leaf is in a poll’s log; `after`: skip the checkpoints up to this size',
    params: pollIdParams,
    query: {
      type: 'object',
      required: ['leaf'],
      additionalProperties: false,
      properties: {
        leaf: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'The leaf hash; never send a receipt' },
        after: sizeText,
      },
    },
    status: 200,
    response: leafInclusionSchema,
    errors: [...pollErrors, 'NOT_FOUND'],
  },
  pollConsistency: {
    ...routes.pollConsistency,
    summary: 'Proof that a poll’s log still begins with what it had at size `from`',
    params: pollIdParams,
    query: consistencyQuery,
    status: 200,
    response: logConsistencySchema,
    errors: [...pollErrors, 'NOT_FOUND'],
  },
  pollSiteEntries: {
    ...routes.pollSiteEntries,
    summary: 'A poll’s entries of the site-wide log, with proofs; `from`: index of the first one',
    params: pollIdParams,
    query: fromQuery,
    status: 200,
    response: pollSiteEntriesSchema,
    errors: [...pollErrors, 'NOT_FOUND'],
  },
  pollBallots: {
    ...routes.pollBallots,
    summary: 'A ballots file of a closed poll, always compressed with gzip',
    params: {
      type: 'object',
      required: ['id', 'version'],
      additionalProperties: false,
      properties: { id: pollIdSchema, version: { type: 'string', pattern: '^[1-9][0-9]{0,8}$' } },
    },
    status: 200,
    responseType: 'text/plain',
    errors: [...pollErrors, 'NOT_FOUND'],
  },
  siteConsistency: {
    ...routes.siteConsistency,
    summary: 'Proof that the site-wide log still begins with what it had at size `from`',
    query: {
      ...consistencyQuery,
      properties: {
        ...consistencyQuery.properties,
        origin: {
          type: 'string',
          maxLength: 300,
          description: 'Of an earlier site-wide log, continued after a restore',
        },
      },
    },
    status: 200,
    response: logConsistencySchema,
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>;
