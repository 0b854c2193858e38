import type { Endpoint } from './endpoint.ts';
import { routes } from './routes.ts';
import { importResultSchema } from './poll-import.ts';

/** What the operator does over the network. */
export const adminEndpoints = {
  bulkUpload: {
    ...routes.bulkUpload,
    summary: 'Import polls from a CSV file: multipart form with csvFile and password',
    status: 200,
    response: importResultSchema,
    errors: ['ADMIN_REQUIRED', 'VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE'],
  },
} as const satisfies Record<string, Endpoint>;
