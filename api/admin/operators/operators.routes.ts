import type { EndpointRouter } from '#platform/endpoint-router.ts';
import type { MountGuarded } from '#platform/operator.ts';
import {
  acceptInvitation,
  becomeOwner,
  changeRole,
  invitedRole,
  inviteOperator,
  listOperators,
  revokeInvitation,
} from './operators.service.ts';
import { setSharedPassword } from './shared-password.service.ts';
import { createToken, listTokens, revokeToken } from './tokens.service.ts';
import type { OperatorsContext } from './tokens.service.ts';

/** The endpoints of operators, their invitations, API tokens, and the shared password. */
export function mountOperators(router: EndpointRouter, guarded: MountGuarded, context: OperatorsContext): void {
  const { db, clock } = context;
  router.mount('invitation', ({ body }) => invitedRole(context, body.token));
  router.mount('acceptInvitation', ({ userId, body }) => acceptInvitation(context, userId, body.token));
  guarded('deskSession', ({ operator: { id, name, role } }) => Promise.resolve({ name, role, member: id !== null }));
  guarded('operators', ({ operator }) => listOperators(db, operator.id, clock.now()));
  guarded('becomeOwner', async ({ operator, userId }) => {
    await becomeOwner(context, operator, userId);
    return undefined;
  });
  guarded('inviteOperator', ({ operator, body }) => inviteOperator(context, operator, body.role));
  guarded('revokeInvitation', async ({ operator, params }) => {
    await revokeInvitation(context, operator, Number(params.id));
    return undefined;
  });
  guarded('changeRole', async ({ operator, params, body }) => {
    await changeRole(context, operator, { userId: params.id, role: body.role });
    return undefined;
  });
  guarded('removeOperator', async ({ operator, params }) => {
    await changeRole(context, operator, { userId: params.id, role: null });
    return undefined;
  });
  guarded('setSharedPassword', async ({ operator, body }) => {
    await setSharedPassword(context, operator, body.on);
    return undefined;
  });
  guarded('apiTokens', () => listTokens(db));
  guarded('createApiToken', ({ operator, body }) => createToken(context, operator, body));
  guarded('revokeApiToken', async ({ operator, params }) => {
    await revokeToken(context, operator, Number(params.id));
    return undefined;
  });
}
