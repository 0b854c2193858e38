import { sharedActor } from '#api/events/events.ts';
import { findOperator } from '#api/members/accounts/operator-accounts.service.ts';
import { isSharedPasswordOn } from '#api/admin/operators/shared-password.service.ts';
import { useToken } from '#api/admin/operators/tokens.service.ts';
import type { Endpoint } from '#contract/route.ts';
import { missingConfirmation, roleAllows } from '#domain/operator-access.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import type { Operator } from '#platform/operator.ts';
import { subnetOf } from '#platform/trusted-proxies.ts';
import { operatorsApiTexts as texts } from '#texts/operators.ts';
import { adminAuth } from './admin-auth.service.ts';
import type { AdminAuth } from './admin-auth.service.ts';

/** Whoever knows the shared password. */
const sharedOperator: Operator = { id: null, name: sharedActor, role: 'owner' };

/** What a request says about who calls. */
export interface Caller {
  /** The client’s address, by which guesses are limited. */
  readonly address: string;
  /** The shared password in its header; empty: none. */
  readonly password: string;
  /** The `Authorization` header; empty: none. */
  readonly authorization: string;
  /** The signed-in member and the session. */
  readonly userId: string | null;
  readonly sessionId: string | null;
}

/** What an endpoint demands of its caller. */
export type Demand = Pick<Endpoint, 'admin' | 'confirm' | 'scope'>;

/**
 * Authorizes a call to the admin pages by the shared password, an API token, or the role of the signed-in member: the first of
 * them that the request has. Throws ADMIN_REQUIRED, INVALID_TOKEN, FORBIDDEN, CONFIRMATION_REQUIRED, RATE_LIMITED.
 */
export type AuthorizeOperator = (caller: Caller, demand: Demand) => Promise<Operator>;

/** Creates the authorization of the admin pages, and of what sends the shared password otherwise than in its header. */
export function operatorAuth(context: Omit<Parameters<typeof adminAuth>[0], 'isOn'> & { readonly db: Database }): {
  readonly password: AdminAuth;
  readonly authorizeOperator: AuthorizeOperator;
} {
  const { db, clock, attempts, log } = context;
  const password = adminAuth({ ...context, isOn: () => isSharedPasswordOn(db) });
  const authorizeOperator: AuthorizeOperator = async (caller, { admin = 'owner', confirm = false, scope }) => {
    const { address, userId, sessionId } = caller;
    if (caller.password !== '') {
      await password.authorize(caller.password, address);
      return sharedOperator;
    }
    if (/^bearer\b/i.test(caller.authorization)) {
      const secret = caller.authorization.slice('bearer'.length).trim();
      const token = await useToken(db, secret, clock.now());
      // Tokens can’t be guessed, so the limit only spares the log; it never refuses a program whose token is right.
      if (token === undefined) {
        await attempts.count([['tokenFailures', address]]);
        const network = subnetOf(address);
        log.warn({ network }, `wrong API token from ${network}`);
      }
      if (token === undefined || token === 'expired') throw errors.invalidToken();
      if (scope === undefined) throw errors.forbidden(texts.notForTokens);
      if (!token.scopes.includes(scope)) throw errors.forbidden(texts.noScope(scope));
      return { id: null, name: `API token ${token.name}`, role: 'editor', isToken: true };
    }
    const operator = userId === null || sessionId === null ? undefined : await findOperator(db, { userId, sessionId });
    if (operator === undefined) throw errors.adminRequired();
    if (!roleAllows(operator.role, admin)) throw errors.forbidden(texts.role);
    const missing = missingConfirmation(operator, confirm, clock.now());
    if (missing !== null) throw errors.confirmationRequired(missing);
    return { id: operator.id, name: operator.name, role: operator.role };
  };
  return { password, authorizeOperator };
}
