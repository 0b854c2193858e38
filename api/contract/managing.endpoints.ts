import type { Endpoint } from './endpoint.ts';
import { importHistorySchema, importRecordSchema, undoOptionsSchema, undoPreviewSchema } from './import-history.ts';
import { managedPollsSchema, pollTextsSchema } from './managed-poll.ts';
import { pollIdParams } from './poll.ts';
import { routes } from './routes.ts';
import { count, moment, soughtText } from './scalars.ts';
import { managedStates } from './vocabulary.ts';

const page = { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 } as const;
const importParams = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: { id: { type: 'string', pattern: '^[1-9][0-9]{0,14}$' } },
} as const;

/** What the operator does about imports that are over, and about single polls. */
export const managingEndpoints = {
  imports: {
    ...routes.imports,
    summary: 'Imports, newest first, whether asked for on the page or in a terminal',
    query: { type: 'object', additionalProperties: false, properties: { page } },
    status: 200,
    response: importHistorySchema,
    errors: ['VALIDATION_FAILED', 'ADMIN_REQUIRED'],
  },
  undoPreview: {
    ...routes.undoPreview,
    summary: 'What taking the last import back would do; nothing is changed',
    params: importParams,
    query: undoOptionsSchema,
    status: 200,
    response: undoPreviewSchema,
    errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  undoImport: {
    ...routes.undoImport,
    summary:
      'Take the last import back. Votes cast here stay. One that takes long is answered while it goes on: state is undoing then',
    params: importParams,
    query: undoOptionsSchema,
    status: 200,
    response: importRecordSchema,
    errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  managedPolls: {
    ...routes.managedPolls,
    summary: 'Polls for the operator, by state and by words of question or id',
    query: {
      type: 'object',
      additionalProperties: false,
      properties: {
        page,
        state: { type: 'string', enum: managedStates },
        search: { ...soughtText, maxLength: 200 },
      },
    },
    status: 200,
    response: managedPollsSchema,
    errors: ['VALIDATION_FAILED', 'ADMIN_REQUIRED'],
  },
  closePoll: {
    ...routes.closePoll,
    summary: 'Close an open poll before its end',
    params: pollIdParams,
    status: 204,
    errors: ['POLL_NOT_FOUND', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  reopenPoll: {
    ...routes.reopenPoll,
    summary: 'Open a closed poll again, until its end; one whose end has come needs a new end',
    params: pollIdParams,
    body: {
      type: 'object',
      additionalProperties: false,
      properties: { endsAt: moment },
    },
    status: 204,
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  editPoll: {
    ...routes.editPoll,
    summary: 'Change texts of a poll; those of options only as long as it has no votes',
    params: pollIdParams,
    body: pollTextsSchema,
    status: 200,
    response: {
      type: 'object',
      required: ['changed', 'removed'],
      additionalProperties: false,
      properties: {
        changed: { type: 'boolean', description: 'false: everything was so already' },
        removed: { type: 'array', items: { type: 'string' }, description: 'HTML that is not allowed in an analysis' },
      },
    },
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  removeDemonstration: {
    ...routes.removeDemonstration,
    summary: 'Remove every poll that came with the software, with its votes; who voted stays a participant',
    status: 200,
    response: {
      type: 'object',
      required: ['polls', 'communityPolls'],
      additionalProperties: false,
      properties: { polls: count, communityPolls: count },
    },
    errors: ['ADMIN_REQUIRED'],
  },
} as const satisfies Record<string, Endpoint>;
