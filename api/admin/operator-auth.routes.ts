import type { Context } from 'koa';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { clientAddress } from '#platform/middleware.ts';
import type { Operator } from '#platform/operator.ts';
import { currentSession, refuseSuspended, signedInUser } from '#platform/session.ts';
import { passwordInHeader } from './admin-auth.service.ts';
import type { AuthorizeOperator, Demand } from './operator-auth.service.ts';

/** Authorizes the caller of a request; throws what `AuthorizeOperator` throws, and ACCOUNT_SUSPENDED. */
export type AuthorizeRequest = (ctx: Context, demand: Demand) => Promise<Operator>;

/** Reads from a request who calls. */
export function requestAuthorizer(authorize: AuthorizeOperator): AuthorizeRequest {
  return async (ctx, demand) => {
    const caller = {
      address: clientAddress(ctx),
      password: passwordInHeader(ctx.get(adminPasswordHeader)),
      authorization: ctx.get('authorization'),
      userId: signedInUser(ctx),
      sessionId: currentSession(ctx),
    };
    const operator = await authorize(caller, demand);
    if (operator.id !== null) refuseSuspended(ctx);
    return operator;
  };
}
