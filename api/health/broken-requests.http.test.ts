import { Agent, request as requestHttp } from 'node:http';
import pino from 'pino';
import { afterEach, expect, test } from 'vitest';
import { errorBodySchema } from '#contract/error-codes.ts';
import { adminPasswordHeader, deviceIdHeader, sessionCookie } from '#contract/vocabulary.ts';
import { compileSchema } from '#platform/validation.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { brokenRequests } from '#api/testing/broken-requests.ts';
import type { BrokenRequest, Sender } from '#api/testing/broken-requests.ts';
import { ask, invited, made } from '#api/testing/community-polls.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered } from '#api/testing/people.ts';
import type { Member } from '#api/testing/people.ts';
import { seededRandom } from '#api/testing/random.ts';
import { startTestApp, testAdminPassword, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

/** `npm run fuzz` sends more, and different ones (.ci/fuzz.ts). */
const seed = Number(process.env.FUZZ_SEED ?? 1);
const wanted = process.env.FUZZ_REQUESTS === undefined ? null : Number(process.env.FUZZ_REQUESTS);
const fitsErrorBody = compileSchema<object>(errorBodySchema, 'json');

oneDatabase((open, engine) => {
  let app: TestApp | undefined;
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  afterEach(async () => {
    agent.destroy();
    await app?.close();
  });

  // Request validation is the same on both engines; PostgreSQL is tested for texts that it cannot store.
  const count = wanted ?? (engine === 'SQLite' ? 1_500 : 700);

  test(
    'requests that violate the contract get one of its error responses, and change nothing',
    { timeout: 30_000 + count * 60 },
    async () => {
      const { db } = await open();
      const failures: string[] = [];
      app = await startTestApp(db);
      const next = brokenRequests({ random: seededRandom(seed), ...(await seedEverything(db, app)) });
      // Background work caused by the setup is complete when the service has ended.
      await app.close();
      const running = await startTestApp(db, { log: failureLog(failures) });
      app = running;
      const before = await everythingIn(db);

      for (let number = 1; number <= count; number += 1) {
        const sent = next();
        const wrong = wrongWith(await send(running, sent), sent);
        if (wrong !== null || failures.length > 0) {
          const said = `FUZZ_SEED=${seed}, request ${number}: ${wrong ?? ''}\n${shown(sent)}\n${failures.join('\n')}`;
          expect.fail(said);
        }
        // Comparing all tables costs more than a request.
        if (number % 250 !== 0 && number !== count) continue;
        const after = await everythingIn(db);
        const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
        // No request may have changed the prototype of all objects.
        expect(['admin', 'isAdmin', 'a'].filter((name) => name in {})).toEqual([]);
        expect(changed, `tables changed up to request ${number}, FUZZ_SEED=${seed}`).toEqual([]);
      }
    },
  );

  /** A member of each kind, and a row for every id. */
  async function seedEverything(db: Database, running: TestApp) {
    await seedPolls(db, [{ id: 'open' }, { id: 'closed', closedAt: testNow - 1_000 }]);
    const [owner, guest] = [await registered(running, 'olga'), await registered(running, 'guest')];
    const poll = await made(owner, { visibility: 'private' });
    await invited(owner, poll.id, 'guest');
    const comment = await ask<{ id: string }>(guest, `/api/community-polls/${poll.id}/comments`, 'POST', {
      content: 'Well.',
    });
    // A guest's first visit, and its effects, are recorded with the member's next request.
    for (const path of [`/api/community-polls/${poll.id}`, '/api/user/badges'])
      for (const member of [owner, guest]) expect((await ask(member, path)).status).toBe(200);

    const sender = (name: string, member: Member): Sender => ({
      name,
      headers: {
        cookie: [...member.cookies].map((pair) => pair.join('=')).join('; '),
        [deviceIdHeader]: member.device,
      },
    });
    const password = Buffer.from(testAdminPassword).toString('latin1');
    const known = {
      secret: 'A'.repeat(43),
      token: `id.${'A'.repeat(43)}`,
      commentId: comment.body.id,
      userId: guest.user.id,
      optionId: 'option-1',
      voterFingerprint: owner.device,
      username: 'newcomer',
      usernameOrEmail: 'guest',
      email: 'somebody@example.org',
      category: 'General',
      endsAt: null,
      options: [
        { id: 'option-1', text: 'Yes' },
        { id: 'option-2', text: 'No' },
      ],
      slug: 'an-article',
      number: '1',
      step: 'backup',
      version: '1',
      file: 'results.csv',
    };
    return {
      senders: [
        sender('creator', owner),
        sender('guest', guest),
        { name: 'stranger', headers: { [deviceIdHeader]: `device_${'a'.repeat(32)}` } },
        { name: 'forger', headers: { cookie: `${sessionCookie}=made-up; ${sessionCookie}.sig=made-up` } },
      ],
      operator: { name: 'operator', headers: { [adminPasswordHeader]: password } },
      known: (path: string) => ({
        ...known,
        id: path.startsWith('/api/community-polls') || path.startsWith('/api/admin/community') ? poll.id : 'open',
      }),
    };
  }

  function send(running: TestApp, sent: BrokenRequest): Promise<{ status: number; type: string; text: string }> {
    const { hostname, port } = new URL(running.origin);
    const { method, path, headers, body } = sent;
    return new Promise((answered, failed) => {
      const length = body === null ? {} : { 'content-length': String(body.length) };
      const outgoing = requestHttp(
        { agent, hostname, port, method, path, headers: { ...headers, ...length } },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('end', () =>
            answered({
              status: response.statusCode ?? 0,
              type: response.headers['content-type'] ?? '',
              text: Buffer.concat(parts).toString(),
            }),
          );
          response.on('error', failed);
        },
      );
      outgoing.on('error', (error) => failed(new Error(`FUZZ_SEED=${seed}: ${error.message}\n${shown(sent)}`)));
      outgoing.end(body ?? undefined);
    });
  }
});

/** What is wrong with a response; null when it matches the contract. */
function wrongWith(
  { status, type, text }: { status: number; type: string; text: string },
  { method }: BrokenRequest,
): string | null {
  const reads = method === 'GET' || method === 'HEAD';
  if (status >= 500) return `${status} ${text}`;
  if (status < 400) return reads ? null : `${status}: it was accepted`;
  if (method === 'HEAD') return null;
  if (!type.startsWith('application/json')) return `${status} with a body of type "${type}"`;
  const body = JSON.parse(text) as unknown;
  return fitsErrorBody(body) ? null : `${status} with an unknown kind of body: ${text}`;
}

/** All rows of all tables except those of knex and SQLite. */
async function everythingIn(db: Database): Promise<Record<string, string>> {
  const tables = isSqlite(db)
    ? await db('sqlite_master').where({ type: 'table' }).pluck<string[]>('name')
    : await db('pg_tables').where({ schemaname: 'public' }).pluck<string[]>('tablename');
  const all: Record<string, string> = {};
  for (const table of tables.filter((name) => !/^(knex_|sqlite_)/.test(name)).sort())
    all[table] = ((await db(table).select()) as object[])
      .map((row) => JSON.stringify(row))
      .sort()
      .join('\n');
  return all;
}

/** A logger that collects unexpected failures. */
const failureLog = (failures: string[]) => pino({ level: 'error' }, { write: (line) => void failures.push(line) });

const shown = ({ call, broken, method, path, headers, body }: BrokenRequest) =>
  `${call}, broken: ${broken}\n${method} ${path}\n${JSON.stringify(headers)}\n${(body ?? '').toString().slice(0, 1_000)}`;
