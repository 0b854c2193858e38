import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import type { MountGuarded } from '#platform/operator.ts';
import { previewEntry } from './drafts.service.ts';
import type { PageSettings } from './drafts.service.ts';
import {
  answerNewerFile,
  createArticle,
  deleteArticle,
  listContent,
  listVersions,
  publishEntry,
  readEntry,
  readVersion,
  restoreVersion,
  reviewEntry,
  saveEntry,
  unpublishEntry,
} from './entries.service.ts';

import { addImage, readUpload } from './image-upload.service.ts';
import { imageWith } from './images.service.ts';

interface ContentOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: PageSettings;
}

/** The endpoints for the operator’s texts, and the pictures in their previews. */
export function mountContent(
  router: EndpointRouter,
  guarded: MountGuarded,
  { db, clock, config }: ContentOptions,
): void {
  const context = { db, clock };
  guarded('contentList', () => listContent(db));
  guarded('createArticle', ({ operator, body }) => createArticle(context, operator.name, body));
  guarded('contentEntry', ({ params }) => readEntry(db, params));
  guarded('saveContent', ({ operator, params, body }) => saveEntry(context, operator.name, params, body));
  guarded('deleteContent', async ({ operator, params, body }) => {
    await deleteArticle(context, operator.name, params, body.version);
    return undefined;
  });
  guarded('previewContent', ({ params, body }) => previewEntry(db, params, body, config));
  guarded('publishContent', ({ operator, params, body }) => publishEntry(context, operator.name, params, body));
  guarded('unpublishContent', ({ operator, params, body: { version } }) =>
    unpublishEntry(context, operator.name, params, version),
  );
  guarded('reviewContent', ({ operator, params, body: { version } }) =>
    reviewEntry(context, operator.name, params, version),
  );
  guarded('contentVersions', ({ params }) => listVersions(db, params));
  guarded('contentVersion', ({ params }) => readVersion(db, params, Number(params.version)));
  guarded('restoreContent', ({ operator, params, body }) => restoreVersion(context, operator.name, params, body));
  guarded('answerNewerFile', ({ operator, params, body }) => answerNewerFile(context, operator.name, params, body));
  guarded('uploadContentImage', async ({ ctx, operator }) =>
    addImage(context, operator.name, await readUpload(ctx.req)),
  );
  router.mount('contentImage', async ({ ctx, params }) => {
    const image = await imageWith(db, params.name);
    if (image === null) throw errors.notFound();
    ctx.body = image;
    ctx.type = 'image/webp';
    ctx.set('x-content-type-options', 'nosniff');
    return undefined;
  });
}
