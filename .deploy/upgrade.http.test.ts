import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { PollIntegrity } from '#api/integrity/log/integrity-log.contract.ts';
import type { Poll } from '#api/polls/polls.contract.ts';
import { runsSlow, slow } from '#api/testing/slow.ts';
import { visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { freePort } from '#api/testing/postgres.setup.ts';

const root = resolve(import.meta.dirname, '..');
const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();

/** The newest version from 0.3.0 on that was tagged before this commit; undefined where the history is missing. */
function previousVersion(): string | undefined {
  try {
    const tags = git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-version:refname').split('\n');
    return tags.find(
      (tag) => !/^(v0\.[012]\.|$)/.test(tag) && git('rev-parse', `${tag}^{commit}`) !== git('rev-parse', 'HEAD'),
    );
  } catch {
    return undefined;
  }
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>;
}

/** Installs a version from git, with the packages of this checkout if they are those of its own lock file. */
async function install(version: string, folder: string): Promise<void> {
  await mkdir(folder);
  execFileSync('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', version, folder], { cwd: root });
  const lockOf = (project: string) => JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as Lock;
  const [own, present] = [lockOf(folder), lockOf(root)].map(({ packages }) => packages);
  const isSame = Object.entries(own!).every(
    ([path, { version: wanted, dev }]) => path === '' || dev === true || present![path]?.version === wanted,
  );
  if (isSame) await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  else execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' });
}

const previous = previousVersion();
const password = 'a windy day in autumn';
let folder: string;
let env: NodeJS.ProcessEnv;
let origin: string;

beforeAll(async () => {
  if (!runsSlow || previous === undefined) return;
  folder = await mkdtemp(join(tmpdir(), 'weathervane-upgrade-'));
  const ports = { PORT: String(await freePort()), API_PORT: String(await freePort()) };
  origin = `http://127.0.0.1:${ports.PORT}`;
  env = {
    ...process.env,
    ...{ NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1', DATA_DIR: join(folder, 'data'), DATABASE_URL: '' },
    ...{ DEMO_DATA: 'on', RATE_LIMIT: 'off', ADMIN_PASSWORD: 'the operator of the upgrade', PUBLIC_URL: origin },
    ...ports,
  };
});
afterAll(async () => {
  if (folder) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Runs a version until `use` is done; it is stopped like by its unit. */
async function whileRunning(project: string, use: () => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, [join(project, 'api/commands/start.ts')], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()));
  const ended = once(child, 'close');
  try {
    await vi.waitFor(
      async () => {
        if (child.exitCode !== null) throw new Error(said);
        expect((await fetch(`${origin}/api/health`)).status, said).toBe(200);
        expect((await fetch(origin)).status, said).toBe(200);
      },
      { timeout: 300_000, interval: 500 },
    );
    await use();
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

const app = { fetch: (path: string, init?: RequestInit) => fetch(`${origin}${path}`, init) } as Parameters<
  typeof visitor
>[0];
const get = async <T>(path: string, from: Visitor = visitor(app)) => {
  const answer = await from.fetch(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return (await answer.json()) as T;
};
const post = async <T>(from: Visitor, path: string, json: unknown, status: number) => {
  const answer = await from.fetch(path, { method: 'POST', json });
  expect([path, answer.status]).toEqual([path, status]);
  return (await answer.json()) as T;
};
const page = async (path: string) => {
  const answer = await fetch(origin + path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text();
};

if (previous === undefined) test.skip('this checkout has no tagged version before it, so none is updated');
else
  test(
    'an installation of the version before keeps its votes, accounts, comments, pages, and log when it is updated',
    { ...slow, timeout: 900_000 },
    async () => {
      const earlier = join(folder, 'earlier');
      await install(previous, earlier);
      const [rosa, emil] = [visitor(app), visitor(app)];
      const voters = Array.from({ length: 25 }, () => visitor(app));
      let open: Poll;
      let own: CommunityPoll;
      /** What an update must not change. */
      const state = async () => ({
        poll: await get<Poll>(`/api/polls/${open.id}`).then(({ totalVotes, options }) => ({ totalVotes, options })),
        community: await get<CommunityPoll>(`/api/community-polls/${own.id}`).then(({ totalVotes }) => totalVotes),
        statistics: await get('/api/statistics'),
        comments: await get<{ content: string }[]>(`/api/community-polls/${own.id}/comments`).then((all) =>
          all.map(({ content }) => content),
        ),
      });
      /** The log of the poll and the site-wide log: who they are, and how much they have. */
      const log = async () => {
        const { log: one } = await get<PollIntegrity>(`/api/polls/${open.id}/integrity`);
        const [origin, size] = (await page('/integrity/log/checkpoint')).split('\n');
        return {
          identity: [one!.origin, one!.tag, one!.verifierKeys, origin],
          leaves: one!.size + one!.waiting,
          size: Number(size),
        };
      };
      let before: Awaited<ReturnType<typeof state>>;
      let logBefore: Awaited<ReturnType<typeof log>>;

      await whileRunning(earlier, async () => {
        open = (await get<Poll[]>('/api/polls/active'))[0]!;
        await post(rosa, '/api/register', { username: 'rosa', password }, 201);
        await post(emil, '/api/register', { username: 'emil', password }, 201);
        const options = ['Tea', 'Coffee', 'Water'].map((text, place) => ({ id: `option-${place + 1}`, text }));
        const question = 'What do you drink while you wait?';
        own = await post(rosa, '/api/community-polls', { question, description: 'For a while.', options }, 201);
        await post(emil, `/api/community-polls/${own.id}/comments`, { content: 'Both, in turn.' }, 201);
        const ballot = { optionId: 'option-2', voterFingerprint: emil.device };
        await post(emil, `/api/community-polls/${own.id}/vote`, ballot, 200);
        for (const voter of [...voters, rosa])
          await post(voter, `/api/polls/${open.id}/vote`, { optionId: open.options[0]!.id }, 200);
        // The log collects votes every few seconds, and publishes them after an hour.
        const logged = async () => expect((await log()).leaves).toBe(voters.length + 1);
        await vi.waitFor(logged, { timeout: 120_000, interval: 1_000 });
        logBefore = await log();
        before = await state();
        expect(before.poll.totalVotes).toBeGreaterThan(voters.length);
      });

      await whileRunning(root, async () => {
        expect(await state()).toEqual(before);
        const now = await log();
        expect([now.identity, now.leaves]).toEqual([logBefore.identity, logBefore.leaves]);
        expect(now.size).toBeGreaterThanOrEqual(logBefore.size);
        // Sessions go on, passwords are known, and devices and accounts have voted.
        expect(await get('/api/user', rosa)).toMatchObject({ username: 'rosa' });
        await post(visitor(app), '/api/login', { username: 'emil', password }, 200);
        for (const voter of [voters[0]!, rosa])
          expect(await post(voter, `/api/polls/${open.id}/vote`, { optionId: open.options[1]!.id }, 409)).toMatchObject(
            { code: 'ALREADY_VOTED' },
          );
        await post(visitor(app), `/api/polls/${open.id}/vote`, { optionId: open.options[1]!.id }, 200);
        expect((await state()).poll.totalVotes).toBe(before.poll.totalVotes + 1);
        expect(await page('/')).toContain(`/poll/${open.id}`);
        expect(await page(`/poll/${open.id}`)).toContain(open.question);
        expect(await page(`/community-polls/${own.id}`)).toContain('Both, in turn.');
        expect(await page('/historical')).toContain('/poll/');
      });
      const doctor = execFileSync(process.execPath, [join(root, 'api/commands/doctor.ts'), '--json'], {
        env,
        encoding: 'utf8',
      });
      expect((JSON.parse(doctor) as { well: boolean }).well, doctor).toBe(true);
    },
  );
