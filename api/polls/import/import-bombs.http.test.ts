import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { fixedClock } from '#platform/clock.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { testNow } from '#api/testing/test-app.ts';
import { importPolls } from './poll-import.service.ts';

const clock = fixedClock(testNow);
const mb = 1024 * 1024;
const header = 'id,question,description,options,is_active,created_at,starts_at,ends_at\n';
const good = `p1,Tea or coffee?,Asked for the tests.,"[{""id"":""a"",""text"":""Tea""},{""id"":""b"",""text"":""Coffee""}]",true,2026-11-01,2026-11-01,2026-12-24\n`;
const full = (text: string, most = 6 * mb) => text.repeat(Math.floor(most / text.length));

/** Files that are small enough to send, but expensive to read. */
const bombs: readonly (readonly [what: string, file: () => string])[] = [
  ['a quote that is never closed', () => `${header}${good}p2,"${full('a line of text\n')}`],
  ['quotes and nothing else', () => header + full('"')],
  ['a field of many megabytes', () => `${header}${good}p2,${full('x')},b,c,d,e,f,g\n`],
  ['a million columns in a row', () => `${header}${good}${','.repeat(1_000_000)}\n`],
  ['a million columns in the header', () => `${header.trim()},${full('a,', 2 * mb)}\n${good}`],
  ['a million options', () => `${header}p1,q,d,"[${full('{},', 3 * mb)}{}]",true,2026-11-01,2026-11-01,2026-12-24\n`],
  [
    'options nested a million deep',
    () => `${header}p1,q,d,"${full('[', 2 * mb)}",true,2026-11-01,2026-11-01,2026-12-24\n`,
  ],
  [
    'options nested deeply and closed',
    () => `${header}p1,q,d,"${'['.repeat(100_000)}${']'.repeat(100_000)}",true,2026-11-01,2026-11-01,2026-12-24\n`,
  ],
  ['lines without anything', () => header + full('\n')],
  ['rows without anything', () => header + full(',,,,,,,\n', 4 * mb)],
];

oneDatabase((open) => {
  describe('a malicious file', () => {
    test.each(bombs)('%s is refused within seconds, with memory for only a few copies of it', async (_, file) => {
      const { db } = await open();
      const bytes = Buffer.from(file());
      const pieces = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, place) =>
        bytes.subarray(place * 65_536, (place + 1) * 65_536),
      );
      const cpu = process.cpuUsage();
      const before = process.memoryUsage().rss;
      const result = await importPolls({ db, clock, source: Readable.from(pieces), mode: 'all-or-nothing' });
      const { user, system } = process.cpuUsage(cpu);
      expect((user + system) / 1e6, 'seconds of the processor').toBeLessThan(10);
      expect((process.memoryUsage().rss - before) / mb, 'megabytes').toBeLessThan(400);
      expect([result.imported, result.errors.length > 0]).toEqual([0, true]);
      expect(JSON.stringify(result).length, 'characters of the answer').toBeLessThan(3 * mb);
      expect(await db('ballots').select('id')).toEqual([]);
    });
  });
});
