import type { MountGuarded, Operator } from '#platform/operator.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { normalizePollTexts } from '#domain/poll-texts.ts';
import type { Attempts } from '#platform/attempts.ts';
import type { Config } from '#platform/config.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import type { Logger } from '#platform/logger.ts';
import type { Metrics } from '#platform/metrics.ts';
import { clientAddress } from '#platform/middleware.ts';
import { adminAuth, passwordInHeader } from './admin-auth.service.ts';
import type { IsAdminPassword } from './admin-auth.service.ts';
import {
  closePoll,
  decideAboutVotes,
  decideAppeal,
  editTexts,
  featurePoll,
  importHistory,
  listBursts,
  listPolls,
  listSuspicions,
  moderate,
  moderationLog,
  moderationScope,
  operatorActor,
  previewUndo,
  publishingState,
  rebuildSite,
  removeDemonstration,
  reportQueue,
  setChallenge,
  setVotesAside,
  reopenPoll,
  undoAnImport,
  unpinRelease,
  useRelease,
} from './operation.service.ts';
import type { OperationContext } from './operation.service.ts';
import { listMembers, makeResetLink, removeMemberPicture } from './members.service.ts';
import { mountMetrics } from './metrics.routes.ts';
import { mountUploads, uploadHandler } from './upload.routes.ts';

/** Whoever knows the shared password. */
const sharedOperator: Operator = { id: null, name: operatorActor, role: 'owner' };

/**
 * The operator’s endpoints; each requires the admin password. Returns what mounts those of other features with the same
 * check.
 */
export function mountAdmin(
  router: EndpointRouter,
  context: OperationContext & {
    readonly config: Pick<Config, 'publicUrl'>;
    readonly attempts: Attempts;
    readonly isAdminPassword: IsAdminPassword;
    readonly log: Logger;
    readonly metrics: Metrics;
  },
): MountGuarded {
  const { db } = context;
  const auth = adminAuth(context);
  const guarded: MountGuarded = (name, handler, options) =>
    router.mount(
      name,
      async (call) => {
        await auth.authorize(passwordInHeader(call.ctx.get(adminPasswordHeader)), clientAddress(call.ctx));
        return handler({ ...call, operator: sharedOperator });
      },
      options,
    );

  router.mount('adminSession', async ({ ctx, body }) => {
    await auth.authorize(body.password, clientAddress(ctx));
    return undefined;
  });
  router.mount('bulkUpload', uploadHandler({ ...context, auth }));
  mountUploads(guarded, context);
  mountMetrics(router, { ...context, auth });
  guarded('publishing', () => publishingState(context));
  guarded('rebuildSite', ({ body }) => rebuildSite(context, body.force ?? false));
  guarded('useRelease', ({ params, query }) => useRelease(context, params.id, query));
  guarded('unpinRelease', () => unpinRelease(context));
  guarded('reportQueue', ({ query }) => reportQueue(context, query));
  guarded('moderationScope', ({ query: { kind = 'poll', id = '' } }) => moderationScope(context, { kind, id }));
  guarded('moderate', ({ body }) => moderate(context, operatorActor, body));
  guarded('moderationLog', ({ query }) => moderationLog(context, query.page ?? 1));
  guarded('decideAppeal', async ({ params, body }) => {
    await decideAppeal(context, operatorActor, Number(params.id), body);
    return undefined;
  });
  guarded('featureCommunityPoll', async ({ params, body }) => {
    await featurePoll(context, params.id, body.featured);
    return undefined;
  });
  guarded('voteBursts', () => listBursts(context));
  guarded('suspicions', ({ query }) => listSuspicions(context, query.poll));
  guarded('switchChallenge', async ({ params, body }) => {
    await setChallenge(context, params.id, body);
    return undefined;
  });
  guarded('setVotesAside', ({ params, body }) => setVotesAside(context, params.id, body));
  guarded('decideVotes', async ({ params, body }) => {
    await decideAboutVotes(context, params, body);
    return undefined;
  });
  guarded('imports', ({ query }) => importHistory(db, query.page ?? 1));
  guarded('undoPreview', ({ params, query }) => previewUndo(db, Number(params.id), query));
  guarded('undoImport', ({ params, query, operator }) =>
    undoAnImport(context, Number(params.id), operator.name, query),
  );
  guarded('managedPolls', ({ query }) => listPolls(context, query));
  guarded('closePoll', async ({ params, operator }) => {
    await closePoll(context, params.id, operator.name);
    return undefined;
  });
  guarded('reopenPoll', async ({ params, body, operator }) => {
    await reopenPoll(context, params.id, body.endsAt, operator.name);
    return undefined;
  });
  guarded('editPoll', ({ params, body, operator }) => editTexts(context, params.id, body, operator.name), {
    normalize: normalizePollTexts,
  });
  guarded('findMembers', ({ query }) => listMembers(context, query.name ?? ''));
  guarded('removePicture', ({ params }) => removeMemberPicture(context, params.id));
  guarded('createResetLink', ({ params }) => makeResetLink(context, params.id));
  guarded('removeDemonstration', ({ operator }) => removeDemonstration(context, operator.name));
  return guarded;
}
