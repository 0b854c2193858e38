import { Readable } from 'node:stream';
import type { ExportFormat, ExportKind } from './exports.contract.ts';
import type { Clock } from '#platform/clock.ts';
import { iso } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import type { MountGuarded } from '#platform/operator.ts';
import { exportFile } from './exports.service.ts';

const types: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** The endpoint of exports. */
export function mountExports(guarded: MountGuarded, context: { readonly db: Database; readonly clock: Clock }): void {
  guarded('exportPolls', async ({ params, query, ctx }) => {
    const [kind, format] = params.file.split('.') as [ExportKind, ExportFormat];
    const { source = 'weekly', state = 'all', poll } = query;
    const chunks = await exportFile(context, kind, format, { source, state, ...(poll !== undefined && { poll }) });
    const day = iso(context.clock.now()).slice(0, 10);
    ctx.type = types[format];
    ctx.set('content-disposition', `attachment; filename="${poll ?? source}-${kind}-${day}.${format}"`);
    ctx.body = Readable.from(chunks, { objectMode: false });
    return undefined;
  });
}
