import type { Context } from 'koa';
import { clientAddress } from '#platform/middleware.ts';
import type { RequestState } from '#platform/middleware.ts';
import type { MountGuarded } from '#platform/operator.ts';
import { normalizeAddress } from '#platform/trusted-proxies.ts';
import { startBackupTest } from './backup-test.service.ts';
import { calendar } from './calendar.service.ts';
import { checklist, confirmStep, dismissChecklist, testMailTo } from './checklist.service.ts';
import type { ChecklistContext, SeenRequest } from './checklist.service.ts';
import { deskMail, setDeskMail } from './notice.service.ts';
import type { NoticeContext } from './notice.service.ts';
import { today } from './today.service.ts';

/** What the operator has to decide, the calendar of weekly polls, and the setup checklist. */
export function mountToday(guarded: MountGuarded, context: ChecklistContext & Pick<NoticeContext, 'mail'>): void {
  guarded('today', () => today(context));
  guarded('pollCalendar', ({ query }) => calendar(context, query.month));
  guarded('checklist', ({ ctx, query }) => checklist(context, seenRequest(ctx), query));
  guarded('confirmStep', async ({ params, body, operator }) => {
    await confirmStep(context, operator.name, params.step, body.confirmed);
    return undefined;
  });
  guarded('dismissChecklist', async ({ body, operator }) => {
    await dismissChecklist(context, operator.name, body.dismissed);
    return undefined;
  });
  guarded('sendTestMail', ({ body, operator }) => testMailTo(context, operator.name, body.email));
  guarded('deskMail', ({ operator }) => deskMail(context, operator));
  guarded('setDeskMail', async ({ body, operator }) => {
    await setDeskMail(context, operator, body.on);
    return undefined;
  });
  guarded('startBackupTest', ({ operator }) => startBackupTest(context, operator.name));
}

/** Headers of forwarding count only from a trusted proxy, such as the site service. */
function seenRequest(ctx: Context): SeenRequest {
  const { isProxy } = ctx.state as RequestState;
  const isForwarded = isProxy?.(normalizeAddress(ctx.req.socket.remoteAddress ?? '')) ?? false;
  return { protocol: (isForwarded && ctx.get('x-forwarded-proto')) || null, address: clientAddress(ctx) };
}
