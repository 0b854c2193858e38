import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ImportResult } from '#api/polls/import/poll-import.contract.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { runLoad, startLoad } from '#ci/bench/load.ts';
import { makePolls } from '#ci/bench/make-polls.ts';
import { benchPassword, startServer } from '#ci/bench/server-process.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { largestFile } from '#api/testing/large-file.ts';
import { canMeasureMemory, forgetPeak, residentMemory } from '#api/testing/resident-memory.ts';
import { slow } from '#api/testing/slow.ts';

const megabyte = 1_000_000;
const options = ['option-1', 'option-2', 'option-3'];

eachDatabase((open) => {
  test.runIf(canMeasureMemory)(
    'the largest upload uses less than 100 MB of memory, and every vote cast meanwhile counts',
    { ...slow, timeout: 400_000 },
    async () => {
      const { db, url } = await open();
      const polls = await makePolls(db, 10, 'open');
      const dataDir = await mkdtemp(join(tmpdir(), 'weathervane-large-'));
      const api = await startServer('./api.server.ts', { DATABASE_URL: url, DATA_DIR: dataDir });
      try {
        const load = { origin: api.origin, connections: 8, polls, options };
        const warm = await runLoad({ ...load, amount: 3_000 });
        const votes = await startLoad({ ...load, amount: 20_000 });
        const { now } = await residentMemory(api.pid);
        await forgetPeak(api.pid);

        const body = new FormData();
        body.set('csvFile', new File([new Uint8Array(largestFile())], 'polls.csv'));
        const headers = { [adminPasswordHeader]: benchPassword };
        const answer = await fetch(`${api.origin}/api/polls/bulk-upload`, { method: 'POST', headers, body });
        expect(await answer.json()).toMatchObject({ inserted: 50_000, rejected: 0 } satisfies Partial<ImportResult>);
        const { peak } = await residentMemory(api.pid);
        expect((peak - now) / megabyte).toBeLessThan(100);

        votes.stop();
        const { accepted, refused } = await votes.result;
        expect(refused).toBe(0);
        const counted = await db('votes').count({ count: '*' }).first<{ count: number }>();
        expect(counted.count).toBe(warm.accepted + accepted);
        await expectExactCounters(db);
      } finally {
        await api.stop();
        await rm(dataDir, { recursive: true, force: true });
      }
    },
  );
});
