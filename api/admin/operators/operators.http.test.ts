import { expect, test } from 'vitest';
import { authenticator } from '#api/testing/authenticator.ts';
import { ask } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { auditLog, seedOperator, sharedPassword } from '#api/testing/operators.ts';
import { registered, signedIn, testPassword, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { AuditLog } from '#api/admin/audit/audit.contract.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import type { NewApiToken, OperatorInvitationLink, Operators } from './operators.contract.ts';
import type { PasskeyCreation } from '#api/members/accounts/passkeys.contract.ts';
import { createResetLink } from '#api/members/accounts/reset-links.service.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import type { Operator } from '#platform/operator.ts';
import { inviteOperator, removeOldInvitations } from './operators.service.ts';
import { switchSharedPassword } from './shared-password.service.ts';
import { createToken } from './tokens.service.ts';

const publicUrl = 'http://localhost:3000';
const day = 86_400_000;

eachDatabase((open, _engine, once) => {
  async function start() {
    const { db } = await open();
    const clock = fixedClock(testNow);
    const app = await startTestApp(db, { clock, config: { publicUrl } });
    return { db, app, clock, olga: await seedOperator(db, app, 'olga', 'owner') };
  }
  const invite = async (owner: Visitor, role = 'editor') =>
    (await ask<OperatorInvitationLink>(owner, '/api/admin/invitations', 'POST', { role })).body;
  const tokenOf = ({ url }: { readonly url: string }) => ({ token: url.split('#invitation=')[1] ?? '' });
  const accept = (member: Visitor, link: { readonly url: string }) =>
    ask<{ code?: string; role?: string }>(member, '/api/user/operator-invitation', 'POST', tokenOf(link));
  const invitation = (reader: Visitor, link: { readonly url: string }) =>
    ask<{ code?: string; role?: string }>(reader, '/api/operator-invitation', 'POST', tokenOf(link));
  const people = async (owner: Visitor) => (await ask<Operators>(owner, '/api/admin/operators')).body;
  const status = async (browser: Visitor, path = '/api/admin/session', init: RequestInit = {}) =>
    (await browser.fetch(path, init)).status;
  const confirm = (member: Visitor, body: object) =>
    ask<{ code?: string; confirmation?: string }>(member, '/api/user/confirmation', 'POST', body);
  const actions = (db: Database) => auditLog(db).orderBy('id').pluck<string[]>('action');

  test('an invitation link makes one member an operator, once, within seven days', async () => {
    const { db, app, clock, olga } = await start();
    const [anna, ben] = [await registered(app, 'anna'), await registered(app, 'ben')];
    const link = await invite(olga);
    expect(link).toMatchObject({ role: 'editor', madeBy: 'olga' });
    expect(link.url).toMatch(/^http:\/\/localhost:3000\/admin\/settings#invitation=[\w-]{43}$/);
    expect(JSON.stringify(await db('operator_invitations'))).not.toContain(link.url.split('=')[1]);
    expect(await status(anna)).toBe(401);
    // Whoever opens the link learns the role before signing in.
    expect(await invitation(visitor(app), link)).toMatchObject({ status: 200, body: { role: 'editor' } });

    // Of two who accept at the same time, one is too late.
    const both = await Promise.all([accept(anna, link), accept(ben, link)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    const winner = both[0].status === 200 ? 'anna' : 'ben';
    expect((await people(olga)).operators).toMatchObject([
      { username: 'olga', role: 'owner', you: true },
      { username: winner, role: 'editor', invitedBy: 'olga', passkeys: 0, you: false },
    ]);
    expect((await people(olga)).invitations).toEqual([]);
    expect((await invitation(visitor(app), link)).body).toMatchObject({ code: 'INVALID_INVITATION' });
    expect(await status(winner === 'anna' ? anna : ben)).toBe(200);

    const old = await invite(olga, 'moderator');
    clock.set(testNow + 7 * day - 1);
    await confirm(olga, { password: testPassword });
    const revoked = await invite(olga);
    expect((await ask(olga, `/api/admin/invitations/${revoked.id}`, 'DELETE')).status).toBe(204);
    clock.set(testNow + 7 * day);
    const loser = winner === 'anna' ? ben : anna;
    for (const one of [old, revoked])
      for (const answer of [await invitation(loser, one), await accept(loser, one)])
        expect(answer.body.code).toBe('INVALID_INVITATION');
    await removeOldInvitations(db, clock.now());
    expect(await db('operator_invitations')).toEqual([]);
    expect(await actions(db)).toEqual([
      ...['operator.invite', 'operator.accept', 'operator.invite', 'operator.invite'],
      'operator.revoke-invitation',
    ]);
  });

  once('an invitation is not for suspended members, operators, or names that logs use for others', async () => {
    const { db, app, olga } = await start();
    const link = await invite(olga, 'owner');
    expect((await accept(olga, link)).status).toBe(409);
    const [sam, system] = [await registered(app, 'sam'), await registered(app, 'sys')];
    // An account that is older than the reserved names.
    await db('users').where({ id: system.user.id }).update({ username: 'System', username_key: 'system' });
    await db('users').where({ id: sam.user.id }).update({ suspended_at: testNow });
    expect((await accept(sam, link)).body.code).toBe('ACCOUNT_SUSPENDED');
    expect((await accept(system, link)).body.code).toBe('CONFLICT');
    await db('users').where({ id: sam.user.id }).update({ suspended_at: null });
    expect((await accept(sam, link)).body).toEqual({ role: 'owner' });
  });

  test('who is removed or gets another role loses access to the admin pages at once, with the tokens and invitations of an owner', async () => {
    const { db, app, olga } = await start();
    const anna = await seedOperator(db, app, 'anna', 'owner');
    const link = await invite(anna);
    const { token } = (await ask<NewApiToken>(anna, '/api/admin/tokens', 'POST', { name: 'Nightly', scopes: ['read'] }))
      .body;
    const bearer = { headers: { authorization: `Bearer ${token}` } };
    expect(await status(visitor(app), '/api/admin/polls', bearer)).toBe(200);
    const path = `/api/admin/operators/${anna.user.id}`;
    expect((await ask(olga, path, 'PATCH', { role: 'moderator' })).status).toBe(204);
    expect([await status(anna), await status(anna, '/api/admin/operators')]).toEqual([200, 403]);
    expect(await status(visitor(app), '/api/admin/polls', bearer)).toBe(401);
    expect((await accept(await registered(app, 'ben'), link)).status).toBe(401);
    expect((await ask(olga, path, 'DELETE')).status).toBe(204);
    expect(await status(anna)).toBe(401);
    expect((await ask(olga, path, 'DELETE')).status).toBe(404);
    const entries = (await ask<AuditLog>(olga, '/api/admin/audit?actor=olga')).body.entries;
    expect(entries).toMatchObject([
      {
        action: 'operator.remove',
        actorId: olga.user.id,
        before: { username: 'anna', role: 'moderator' },
        after: null,
      },
      { action: 'operator.change-role', before: { username: 'anna', role: 'owner' }, after: { role: 'moderator' } },
    ]);
  });

  test('the last owner can be neither removed nor demoted, whoever tries at once, and can’t delete the account', async () => {
    const { db, app, olga } = await start();
    const anna = await seedOperator(db, app, 'anna', 'owner');
    const remove = (by: Visitor, { user }: { user: { id: string } }) =>
      ask(by, `/api/admin/operators/${user.id}`, 'DELETE');
    const outcomes = await Promise.all([remove(olga, anna), remove(anna, olga)]);
    // The later one is refused: as the last owner’s, or since the caller is no operator any more.
    expect(outcomes.filter(({ status }) => status === 204)).toHaveLength(1);
    const [last] = await db('operators').select('user_id', 'role');
    expect(last?.role).toBe('owner');
    const owner = last?.user_id === olga.user.id ? olga : anna;
    expect((await remove(owner, owner)).status).toBe(409);
    const own = `/api/admin/operators/${owner.user.id}`;
    expect((await ask<{ message: string }>(owner, own, 'PATCH', { role: 'editor' })).body.message).toBe(
      'This site needs an owner. Make somebody else an owner first.',
    );
    const deletion = { username: owner.user.username, password: testPassword };
    expect((await ask(owner, '/api/user', 'DELETE', deletion)).status).toBe(409);
    expect(await status(owner)).toBe(200);
  });

  once(
    'the admin pages of an operator who has a passkey open only with it; a password confirms dangerous actions inside',
    async () => {
      const { db, app, clock, olga } = await start();
      const key = authenticator(publicUrl);
      const laptop = await signedIn(app, 'olga');
      const early = await ask<PasskeyCreation>(laptop, '/api/user/passkeys/creation', 'POST', {
        password: testPassword,
      });
      const creation = await ask<PasskeyCreation>(olga, '/api/user/passkeys/creation', 'POST', {
        password: testPassword,
      });
      expect(await status(olga)).toBe(200);
      await ask(olga, '/api/user/passkeys', 'POST', key.create(creation.body));

      const tablet = await signedIn(app, 'olga');
      // With the password alone, nobody changes what opens the admin pages.
      const create = (by: Visitor) =>
        ask<PasskeyCreation & { code?: string }>(by, '/api/user/passkeys/creation', 'POST', { password: testPassword });
      const stored = await db('passkeys').first<{ id: string }>('id');
      const remove = (by: Visitor) =>
        ask<{ code?: string }>(by, `/api/user/passkeys/${stored.id}`, 'DELETE', { password: testPassword });
      for (const change of [create, remove]) expect((await change(tablet)).body.code).toBe('CONFIRMATION_REQUIRED');
      const another = authenticator(publicUrl).create(early.body);
      const added = await ask<{ code?: string }>(laptop, '/api/user/passkeys', 'POST', another);
      expect(added.body.code).toBe('CONFIRMATION_REQUIRED');
      const sign = async () =>
        key.sign((await ask<{ challenge: string }>(tablet, '/api/login/passkey/challenge', 'POST')).body);
      const session = () => ask<{ code?: string; confirmation?: string }>(tablet, '/api/admin/session');
      expect((await session()).body).toMatchObject({ code: 'CONFIRMATION_REQUIRED', confirmation: 'passkey' });
      expect((await confirm(tablet, { password: 'wrong password' })).body.code).toBe('WRONG_PASSWORD');
      expect((await confirm(tablet, { password: testPassword })).status).toBe(204);
      expect((await session()).body.confirmation).toBe('passkey');
      const anna = await registered(app, 'anna');
      expect((await confirm(anna, { passkey: await sign() })).body.code).toBe('INVALID_PASSKEY');
      expect((await confirm(tablet, { passkey: await sign() })).status).toBe(204);
      expect((await session()).status).toBe(200);

      clock.set(testNow + 10 * 60_000);
      const inviting = () =>
        ask<{ confirmation?: string }>(tablet, '/api/admin/invitations', 'POST', { role: 'moderator' });
      expect((await inviting()).body.confirmation).toBe('any');
      expect((await confirm(tablet, { password: testPassword })).status).toBe(204);
      expect((await inviting()).status).toBe(201);
      clock.set(testNow + 12 * 3_600_000);
      expect((await session()).body.confirmation).toBe('passkey');

      // A passkey alone is both: it asks for a fingerprint, face, or PIN.
      const phone = visitor(app);
      const { body } = await ask<{ challenge: string }>(phone, '/api/login/passkey/challenge', 'POST');
      expect((await ask(phone, '/api/login/passkey', 'POST', key.sign(body))).status).toBe(200);
      expect(await status(phone)).toBe(200);
      expect((await create(phone)).status).toBe(200);
      expect((await remove(phone)).status).toBe(204);
      expect(await db('passkeys')).toEqual([]);
    },
  );

  once(
    'recovery codes and reset links leave the passkeys of an operator, so that they don’t open the admin pages',
    async () => {
      const { db, app, olga } = await start();
      const key = authenticator(publicUrl);
      const { body } = await ask<PasskeyCreation>(olga, '/api/user/passkeys/creation', 'POST', {
        password: testPassword,
      });
      await ask(olga, '/api/user/passkeys', 'POST', key.create(body));
      const json = { username: 'olga', code: olga.recoveryCodes[0], newPassword: 'another windy day' };
      const thief = visitor(app);
      expect((await ask(thief, '/api/recover', 'POST', json)).status).toBe(200);
      expect((await ask(thief, '/api/admin/session')).body).toMatchObject({ confirmation: 'passkey' });
      const url = await createResetLink({ db, clock: app.clock, config: { publicUrl } }, olga.user.id, {
        ...{ maker: 'command', actor: 'terminal' },
      });
      const token = /#reset=([\w-]{43})/.exec(url.url)?.[1];
      const reset = { token, newPassword: 'yet another windy day' };
      expect((await ask(thief, '/api/reset-password', 'POST', reset)).status).toBe(200);
      expect((await ask(thief, '/api/admin/session')).body).toMatchObject({ confirmation: 'passkey' });
    },
  );

  test('whoever stops being an owner while making an invitation or token makes none', async () => {
    const { db, clock, olga } = await start();
    const context = { db, clock, config: { publicUrl } };
    const make = async (operator: Operator, refusal: object) => {
      await expect(inviteOperator(context, operator, 'owner')).rejects.toMatchObject(refusal);
      await expect(createToken(context, operator, { name: 'a', scopes: ['read'] })).rejects.toMatchObject(refusal);
    };
    await make({ id: 'nobody', name: 'nobody', role: 'owner' }, { code: 'FORBIDDEN' });
    await switchSharedPassword(context, { id: olga.user.id, name: 'olga' }, false);
    await make({ id: null, name: 'operator', role: 'owner' }, { code: 'ADMIN_REQUIRED' });
    expect([await db('operator_invitations'), await db('api_tokens')]).toEqual([[], []]);
  });

  once('the shared password makes the first owner, who can turn it off; the terminal turns it on again', async () => {
    const { db } = await open();
    const app = await startTestApp(db);
    const anna = await registered(app, 'anna');
    const shared = { headers: sharedPassword };
    const become = (by: Visitor) => by.fetch('/api/admin/operators', { method: 'POST', ...shared });
    expect((await become(visitor(app))).status).toBe(401);
    expect((await become(anna)).status).toBe(204);
    expect((await become(anna)).status).toBe(204);
    const turn = (by: Visitor, on: boolean, init: RequestInit = {}) =>
      by.fetch('/api/admin/shared-password', { method: 'POST', json: { on }, ...init });
    expect((await turn(visitor(app), false, shared)).status).toBe(409);
    // Without recovery codes or a passkey, a lost password would lock the owner out.
    const codes = await db('recovery_codes').select();
    await db('recovery_codes').del();
    expect((await turn(anna, false)).status).toBe(409);
    await db('recovery_codes').insert(codes);
    const made = { scopes: ['read'], name: 'Nightly' };
    for (const init of [shared, {}])
      for (const [path, json] of [['tokens', made] as const, ['invitations', { role: 'editor' }] as const])
        expect((await anna.fetch(`/api/admin/${path}`, { method: 'POST', json, ...init })).status).toBe(201);
    expect((await turn(anna, false)).status).toBe(204);
    // What was made with the shared password ends with it.
    for (const table of ['api_tokens', 'operator_invitations'])
      expect(await db(table).pluck('made_by')).toEqual(['anna']);

    const refused = await visitor(app).fetch('/api/admin/session', shared);
    expect([refused.status, await refused.json()]).toMatchObject([
      401,
      { code: 'ADMIN_REQUIRED', message: 'The shared password is turned off. Sign in as yourself.' },
    ]);
    expect((await ask(visitor(app), '/api/admin/session', 'POST', { password: 'any' })).status).toBe(401);
    expect((await people(anna)).sharedPassword).toBe(false);
    expect((await turn(anna, true)).status).toBe(204);
    expect(await status(visitor(app), '/api/admin/session', shared)).toBe(200);
    expect(await auditLog(db).orderBy('id').select('actor', 'action', 'before', 'after')).toMatchObject([
      { actor: 'operator', action: 'operator.become-owner' },
      ...[
        { actor: 'operator', action: 'token.create' },
        { actor: 'operator', action: 'operator.invite' },
      ],
      ...[
        { actor: 'anna', action: 'token.create' },
        { actor: 'anna', action: 'operator.invite' },
      ],
      { actor: 'anna', action: 'setting.change', before: 'true', after: 'false' },
      { actor: 'anna', action: 'setting.change', before: 'false', after: 'true' },
    ]);
  });

  test('an API token is shown once, stored as a digest, and refused after its expiry or when it is revoked', async () => {
    const { db, app, clock, olga } = await start();
    const create = (body: object) => ask<NewApiToken>(olga, '/api/admin/tokens', 'POST', body);
    const { body: made } = await create({
      ...{ name: 'Nightly import', scopes: ['read', 'import'] },
      expiresAt: new Date(testNow + 2 * day).toISOString(),
    });
    expect(made.token).toMatch(/^wv_[\w-]{43}$/);
    expect(JSON.stringify(await db('api_tokens'))).not.toContain(made.token);
    expect(JSON.stringify(await auditLog(db))).not.toContain(made.token);
    const past = await create({ name: 'Late', scopes: ['read'], expiresAt: new Date(testNow).toISOString() });
    expect(past.status).toBe(400);
    const tokens = async () => (await ask<{ tokens: NewApiToken[] }>(olga, '/api/admin/tokens')).body.tokens;
    expect(await tokens()).toMatchObject([{ name: 'Nightly import', madeBy: 'olga', lastUsedAt: null }]);
    expect(JSON.stringify(await tokens())).not.toContain(made.token);

    const use = () => status(visitor(app), '/api/admin/polls', { headers: { authorization: `Bearer ${made.token}` } });
    expect(await use()).toBe(200);
    expect(await tokens()).toMatchObject([{ lastUsedAt: '2026-11-20T00:00:00.000Z' }]);
    clock.set(testNow + 2 * day);
    expect(await use()).toBe(401);
    clock.set(testNow + day);
    expect(await use()).toBe(200);
    await confirm(olga, { password: testPassword });
    expect((await ask(olga, `/api/admin/tokens/${made.id}`, 'DELETE')).status).toBe(204);
    expect(await use()).toBe(401);
    expect((await ask(olga, `/api/admin/tokens/${made.id}`, 'DELETE')).status).toBe(404);
  });

  once(
    'guesses of API tokens are limited, but refuse neither a right token, an expired one, nor the password',
    async () => {
      const { db } = await open();
      const app = await startTestApp(db, { config: { rateLimit: true } });
      const tokens = { db, clock: app.clock };
      const operator = { id: null, name: 'operator', role: 'owner' } as const;
      const { token } = await createToken(tokens, operator, { name: 'a', scopes: ['read'] });
      const { id, token: expired } = await createToken(tokens, operator, { name: 'b', scopes: ['read'] });
      await db('api_tokens').where({ id }).update({ expires_at: testNow });
      const call = (secret: string) =>
        status(visitor(app), '/api/admin/polls', { headers: { authorization: `Bearer ${secret}` } });
      const { points } = rateLimits.tokenFailures;
      for (let n = 0; n <= points; n += 1) expect(await call(expired)).toBe(401);
      for (let n = 0; n < points; n += 1) expect(await call(`wv_guess${n}`)).toBe(401);
      expect(await call('wv_guess')).toBe(429);
      expect([await call(token), await call(expired)]).toEqual([200, 401]);
      expect(await status(visitor(app), '/api/admin/session', { headers: sharedPassword })).toBe(200);
    },
  );

  once('suspending several members at once asks a moderator to confirm; suspending one does not', async () => {
    const { db, app, clock } = await start();
    const moderator = await seedOperator(db, app, 'moritz', 'moderator');
    const [anna, ben] = [await registered(app, 'anna'), await registered(app, 'ben')];
    const suspend = (...members: { user: { id: string } }[]) =>
      ask<{ code?: string; changed?: number }>(moderator, '/api/admin/moderation', 'POST', {
        ...{ action: 'suspend', kind: 'member', ids: members.map(({ user }) => user.id), reason: 'Spam' },
      });
    clock.set(testNow + 11 * 60_000);
    expect((await suspend(anna)).body.changed).toBe(1);
    expect((await suspend(anna, ben)).body.code).toBe('CONFIRMATION_REQUIRED');
    await confirm(moderator, { password: testPassword });
    expect((await suspend(anna, ben)).body.changed).toBe(2);
  });

  once('operators can’t be suspended: not by name, and not with their network', async () => {
    const { db, app, olga } = await start();
    const anna = await registered(app, 'anna');
    const suspend = (...ids: string[]) =>
      ask<{ changed: number; message?: string }>(olga, '/api/admin/moderation', 'POST', {
        ...{ action: 'suspend', kind: 'member', ids, reason: 'Spam' },
      });
    expect((await suspend(anna.user.id)).body.changed).toBe(1);
    const ben = await registered(app, 'ben');
    expect((await suspend(olga.user.id)).status).toBe(409);
    expect((await suspend(ben.user.id, olga.user.id)).status).toBe(409);
    expect(await db('users').whereNotNull('suspended_at').pluck('username')).toEqual(['anna']);
    expect(await actions(db)).toEqual(['moderation.decide']);
    const { members } = (await ask<{ members: object[] }>(olga, '/api/admin/members?name=olga')).body;
    expect(members).toMatchObject([{ username: 'olga', operator: true }]);
  });
});
