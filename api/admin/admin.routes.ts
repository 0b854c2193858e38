import { endpoints } from '#api/endpoints.contract.ts';
import type { Endpoint } from '#contract/route.ts';
import { isBulkDecision } from '#domain/operator-access.ts';
import { normalizePollTexts } from '#domain/poll-texts.ts';
import type { Attempts } from '#platform/attempts.ts';
import type { Config } from '#platform/config.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import type { Logger } from '#platform/logger.ts';
import type { Metrics } from '#platform/metrics.ts';
import { clientAddress } from '#platform/middleware.ts';
import type { MountGuarded, Operator } from '#platform/operator.ts';
import type { IsAdminPassword } from './admin-auth.service.ts';
import { requestAuthorizer } from './operator-auth.routes.ts';
import { operatorAuth } from './operator-auth.service.ts';
import {
  changeChallenge,
  raiseProtection,
  closePoll,
  decideFlag,
  endDecision,
  decideAppeal,
  editTexts,
  featurePoll,
  importHistory,
  listPolls,
  listFlaggedPolls,
  moderate,
  moderationLog,
  moderationScope,
  previewUndo,
  publishingState,
  rebuildSite,
  removeDemonstration,
  reportQueue,
  reopenPoll,
  undoAnImport,
  pausePublishing,
} from './operation.service.ts';
import type { OperationContext } from './operation.service.ts';
import { listMembers, makeResetLink, removeMemberPicture } from './members.service.ts';
import { mountMetrics } from './metrics.routes.ts';
import { mountUploads, uploadHandler } from './upload.routes.ts';

/** Who calls; set before the handler runs. */
interface OperatorState {
  operator?: Operator;
}

/** The operators’ endpoints. Returns how other features mount theirs. */
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
  const { password: auth, authorizeOperator } = operatorAuth(context);
  const authorize = requestAuthorizer(authorizeOperator);
  const guarded: MountGuarded = (name, handler, options) => {
    const endpoint: Endpoint = endpoints[name];
    return router.mount(
      name,
      (call) => handler({ ...call, operator: (call.ctx.state as Required<OperatorState>).operator }),
      {
        ...options,
        async authorize(ctx) {
          (ctx.state as OperatorState).operator = await authorize(ctx, endpoint);
        },
      },
    );
  };

  router.mount('adminSession', async ({ ctx, body }) => {
    await auth.authorize(body.password, clientAddress(ctx));
    return undefined;
  });
  router.mount('bulkUpload', uploadHandler({ ...context, auth, authorize }));
  mountUploads(guarded, context);
  mountMetrics(router, { ...context, authorize });
  guarded('publishing', () => publishingState(context));
  guarded('rebuildSite', ({ operator, body }) => rebuildSite(context, operator, body.force ?? false));
  guarded('pausePublishing', ({ operator }) => pausePublishing(context, operator, true));
  guarded('resumePublishing', ({ operator }) => pausePublishing(context, operator, false));
  guarded('reportQueue', ({ query }) => reportQueue(context, query));
  guarded('moderationScope', ({ query: { kind = 'poll', id = '' } }) => moderationScope(context, { kind, id }));
  guarded('moderate', async ({ ctx, operator, body }) => {
    if (operator.id !== null && isBulkDecision(body)) await authorize(ctx, { ...endpoints.moderate, confirm: true });
    return moderate(context, operator, body);
  });
  guarded('moderationLog', ({ query }) => moderationLog(context, query.page ?? 1));
  guarded('decideAppeal', async ({ operator, params, body }) => {
    await decideAppeal(context, operator, Number(params.id), body);
    return undefined;
  });
  guarded('featureCommunityPoll', async ({ operator, params, body }) => {
    await featurePoll(context, operator, { ...params, ...body });
    return undefined;
  });
  guarded('flaggedPolls', ({ query }) => listFlaggedPolls(context, query.poll));
  guarded('switchChallenge', async ({ operator, params, body }) => {
    await changeChallenge(context, params.id, operator, body);
    return undefined;
  });
  guarded('raiseProtection', async ({ operator, params, body }) => {
    await raiseProtection(context, params.id, operator, body);
    return undefined;
  });
  guarded('decideFlag', ({ operator, params, body }) =>
    decideFlag(context, params.id, { actor: operator.name, operator }, body),
  );
  guarded('decideVotes', async ({ operator, params: { id, number }, body: { action, note } }) => {
    const which = { ballotId: id, number: Number(number) };
    await endDecision(context, which, action, { actor: operator.name, operator, note });
    return undefined;
  });
  guarded('imports', ({ query }) => importHistory(db, query.page ?? 1));
  guarded('undoPreview', ({ params, query }) => previewUndo(db, Number(params.id), query));
  guarded('undoImport', ({ params, query, operator }) =>
    undoAnImport(context, Number(params.id), operator.name, query),
  );
  guarded('managedPolls', ({ operator, query }) => listPolls(context, operator, query));
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
  guarded('removePicture', ({ operator, params }) => removeMemberPicture(context, operator, params.id));
  guarded('createResetLink', ({ operator, params }) => makeResetLink(context, operator, params.id));
  guarded('removeDemonstration', ({ operator }) => removeDemonstration(context, operator.name));
  return guarded;
}
