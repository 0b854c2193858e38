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
    admin: true,
    summary: 'Imports from the page and the terminal, newest first',
    query: { type: 'object', additionalProperties: false, properties: { page } },
    status: 200,
    response: importHistorySchema,
    errors: ['VALIDATION_FAILED', 'ADMIN_REQUIRED'],
  },
  undoPreview: {
    ...routes.undoPreview,
    admin: true,
    summary: 'Preview the undo of the last import without changing anything',
    params: importParams,
    query: undoOptionsSchema,
    status: 200,
    response: undoPreviewSchema,
    errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  undoImport: {
    ...routes.undoImport,
    admin: true,
    summary: 'Undo the last import; votes cast here are kept. A long undo returns early with the state undoing',
    params: importParams,
    query: undoOptionsSchema,
    status: 200,
    response: importRecordSchema,
    errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  managedPolls: {
    ...routes.managedPolls,
    admin: true,
    summary: 'Polls for the operator, filtered by state and by words in the question or id',
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
    admin: true,
    summary: 'Close an open poll early',
    params: pollIdParams,
    status: 204,
    errors: ['POLL_NOT_FOUND', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  reopenPoll: {
    ...routes.reopenPoll,
    admin: true,
    summary: 'Reopen a closed poll until its end; if its end has passed, it needs a new one',
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
    admin: true,
    summary: 'Edit the text of a poll; its options can only change while it has no votes',
    params: pollIdParams,
    body: pollTextsSchema,
    status: 200,
    response: {
      type: 'object',
      required: ['changed', 'removed'],
      additionalProperties: false,
      properties: {
        changed: { type: 'boolean', description: 'false: nothing was different' },
        removed: {
          type: 'array',
          items: { type: 'string' },
          description: 'Disallowed HTML that was removed from the analysis',
        },
      },
    },
    errors: ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', 'ADMIN_REQUIRED'],
  },
  removeDemonstration: {
    ...routes.removeDemonstration,
    admin: true,
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
