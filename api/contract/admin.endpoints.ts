import type { Endpoint } from './endpoint.ts';
import { importResultSchema } from './poll-import.ts';

/** What the operator does over the network. */
export const adminEndpoints = {
  bulkUpload: {
    method: 'POST',
    path: '/api/polls/bulk-upload',
    summary: 'Import polls from a CSV file: multipart form with csvFile and password',
    status: 200,
    response: importResultSchema,
    errors: ['ADMIN_REQUIRED', 'VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE'],
    cache: 'none',
  },
} as const satisfies Record<string, Endpoint>;
