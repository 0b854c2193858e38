import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import type { PollIntegrity } from './integrity-log.contract.ts';
import { parseCheckpoint } from '#domain/verification/note.ts';
import { fixedClock } from '#platform/clock.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { quickFolder } from '#api/testing/quick-folder.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import { castVotes, closeBallot, logWriter, recountPublished } from '#api/testing/vote-logs.ts';
import { slow } from '#api/testing/slow.ts';
import { tick } from './tick.service.ts';

const program = fileURLToPath(new URL('../../testing/vote-log-writer.ts', import.meta.url));
const [rounds, votesPerRound] = [5, 57];

oneDatabase((open) => {
  const writers = new Set<ChildProcess>();
  afterEach(async () => {
    await Promise.all([...writers].map(kill));
  });
  async function kill(writer: ChildProcess): Promise<void> {
    if (writers.delete(writer) && writer.exitCode === null) {
      const ended = once(writer, 'exit');
      writer.kill('SIGKILL');
      await ended;
    }
  }

  test(
    'two processes write one log together, and killing them at any moment loses no vote',
    { ...slow, timeout: 120_000 },
    async () => {
      const { db, url } = await open();
      const clock = fixedClock(testNow);
      const app = await startTestApp(db, { clock });
      await seedPolls(db, [{ id: 'tea', endsAt: testNow + 365 * 86_400_000 }, { id: 'cake' }]);
      const dataDir = join(quickFolder(), `kills-${crypto.randomUUID()}`);
      const startWriter = async () => {
        const writer = fork(program, [url, dataDir, String(clock.now())], { execArgv: [], stdio: 'ignore' });
        writers.add(writer);
        await once(writer, 'message');
      };
      await startWriter();
      await startWriter();
      const seen: PollIntegrity['log'][] = [];
      for (let round = 0; round < rounds; round++) {
        const casting = castVotes(db, 'tea', 'o1', votesPerRound);
        // The lease holder is one of the two: in time, each is killed while it writes.
        await kill([...writers][0]!);
        await casting;
        await castVotes(db, 'cake', 'o2', 3);
        await startWriter();
        const logged = seen.at(-1)?.size ?? 0;
        seen.push(
          await vi.waitFor(
            async () => {
              const { log } = (await (await app.fetch('/api/polls/tea/integrity')).json()) as PollIntegrity;
              expect(log!.size).toBeGreaterThan(logged);
              return log;
            },
            { timeout: 20_000, interval: 20 },
          ),
        );
      }
      await Promise.all([...writers].map(kill));
      for (const id of ['tea', 'cake']) await closeBallot(db, id, clock.now());
      clock.set(clock.now() + 86_400_000);
      expect(await tick(logWriter(db, clock, { dataDir }))).toBe(true);

      expect(await recountPublished(app, 'tea')).toMatchObject({
        verdict: 'ok',
        tally: { counted: [rounds * votesPerRound, 0, 0] },
      });
      expect(await recountPublished(app, 'cake')).toMatchObject({
        verdict: 'ok',
        tally: { counted: [0, rounds * 3, 0] },
      });
      // Every checkpoint that anyone has seen is still one of the log.
      const { log } = (await (await app.fetch('/api/polls/tea/integrity')).json()) as PollIntegrity;
      for (const earlier of seen)
        expect(log!.checkpoints.slice(0, earlier!.checkpoints.length)).toEqual(earlier!.checkpoints);
      expect(log!.origin).toBe('polls.example/integrity/poll/tea');
      expect(log!.checkpoints.map((note) => parseCheckpoint(note)!.size)).toHaveLength(log!.checkpointCount);
    },
  );
});
