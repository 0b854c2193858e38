import type { EndpointName } from '#contract/endpoints.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { tidyPollTexts } from '#domain/poll-texts.ts';
import type { Attempts } from '#platform/attempts.ts';
import type { EndpointRouter, Handler } from '#platform/endpoint-router.ts';
import type { Logger } from '#platform/logger.ts';
import type { Metrics } from '#platform/metrics.ts';
import { clientAddress } from '#platform/middleware.ts';
import { adminGate, passwordInHeader } from './admin-gate.service.ts';
import type { IsAdminPassword } from './admin-gate.service.ts';
import { listBursts } from './bursts.service.ts';
import {
  changeTexts,
  closePoll,
  importHistory,
  listPolls,
  previewUndo,
  removeDemonstration,
  reopenPoll,
  takeBack,
} from './managing.service.ts';
import {
  featurePoll,
  hideComment,
  listReports,
  publishingOverview,
  rebuildSite,
  unpinRelease,
  useRelease,
} from './operation.service.ts';
import type { OperationContext } from './operation.service.ts';
import { mountMetrics } from './metrics.routes.ts';
import { uploadHandler } from './upload.routes.ts';

/** The operator's calls; each asks for the admin password. */
export function mountAdmin(
  router: EndpointRouter,
  context: OperationContext & {
    readonly attempts: Attempts;
    readonly isAdminPassword: IsAdminPassword;
    readonly log: Logger;
    readonly metrics: Metrics;
  },
): void {
  const { db, config } = context;
  const gate = adminGate(context);
  const guarded = <N extends EndpointName>(
    name: N,
    handler: Handler<N>,
    options: { readonly normalize?: (body: unknown) => unknown } = {},
  ) => {
    const behindTheGate: Handler<N> = async (call) => {
      await gate.demand(passwordInHeader(call.ctx.get(adminPasswordHeader)), clientAddress(call.ctx));
      return handler(call);
    };
    return router.mount(name, behindTheGate, options);
  };

  router.mount('adminSession', async ({ ctx, body }) => {
    await gate.demand(body.password, clientAddress(ctx));
    return undefined;
  });
  router.mount('bulkUpload', uploadHandler({ ...context, gate }));
  mountMetrics(router, { ...context, gate });
  guarded('publishing', () => publishingOverview(db, config.dataDir));
  guarded('rebuildSite', ({ body }) => rebuildSite(context, body.force ?? false));
  guarded('useRelease', ({ params, query }) => useRelease(context, params.id, query));
  guarded('unpinRelease', () => unpinRelease(context));
  guarded('reportedComments', () => listReports(context));
  guarded('hideComment', async ({ params, body }) => {
    await hideComment(context, params.commentId, body.hidden);
    return undefined;
  });
  guarded('featureCommunityPoll', async ({ params, body }) => {
    await featurePoll(context, params.id, body.featured);
    return undefined;
  });
  guarded('voteBursts', () => listBursts(context));
  guarded('imports', ({ query }) => importHistory(db, query.page ?? 1));
  guarded('undoPreview', ({ params, query }) => previewUndo(db, Number(params.id), query));
  guarded('undoImport', ({ params, query }) => takeBack(context, Number(params.id), query));
  guarded('managedPolls', ({ query }) => listPolls(context, query));
  guarded('closePoll', async ({ params }) => {
    await closePoll(context, params.id);
    return undefined;
  });
  guarded('reopenPoll', async ({ params, body }) => {
    await reopenPoll(context, params.id, body.endsAt);
    return undefined;
  });
  guarded('editPoll', ({ params, body }) => changeTexts(context, params.id, body), { normalize: tidyPollTexts });
  guarded('removeDemonstration', () => removeDemonstration(context));
}
