import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { pollFor } from '#api/polls/polls.service.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import {
  bytesOf,
  casesPresent,
  differencesFrom,
  hasPython,
  importCases,
  importData,
  isMade,
} from '#api/testing/import-cases.ts';
import type { Case, Outcome } from '#api/testing/import-cases.ts';
import { slow } from '#api/testing/slow.ts';
import { testNow } from '#api/testing/test-app.ts';
import { canBeSeen } from '#api/testing/hostile-values.ts';
import { importPolls } from './poll-import.service.ts';

const clock = fixedClock(testNow);
/** The largest file that an import accepts; ten thousand rows are in every run. */
const fullSize = 'fifty-thousand-rows';
function sourceOf(bytes: Buffer): Readable {
  return Readable.from(
    (function* () {
      for (let from = 0; from < bytes.length; from += 65_536) yield bytes.subarray(from, from + 65_536);
    })(),
  );
}

async function expectStored(db: Database, { checks = [] }: Outcome): Promise<void> {
  for (const { id, field, equals } of checks) {
    const poll = await pollFor({ db, clock }, id, null);
    expect(poll[field as keyof typeof poll], `${field} of ${id}`).toEqual(equals);
  }
}

/** Runs every step of a case and compares the result with the expected one. */
async function follow(db: Database, { steps, applies_to }: Case): Promise<void> {
  for (const step of steps) {
    const result = await importPolls({
      db,
      clock,
      source: sourceOf(await bytesOf(step)),
      ...(step.mode && { mode: step.mode }),
      ...(step.dryRun !== undefined && { dryRun: step.dryRun }),
      ...(applies_to?.includes('upload') && step.file !== undefined && { fileName: step.file }),
    });
    expect(differencesFrom(step, result), result.message).toEqual([]);
    await expectStored(db, step.expect);
    for (const { value } of [...result.errors, ...result.warnings]) expect((value ?? '').length).toBeLessThan(100);
  }
  await expectExactCounters(db);
}

oneDatabase((open) => {
  describe.skipIf(!casesPresent)('the import cases beside this checkout', () => {
    test.each(importCases.filter((one) => !isMade(one)))('$name: $outcome', async (one) => {
      const { db } = await open();
      await follow(db, one);
    });

    test.skipIf(!hasPython).each(importCases.filter((one) => isMade(one) && !(slow.skip && one.name === fullSize)))(
      '$name (made by python3): $outcome',
      { timeout: 120_000 },
      async (one) => {
        const { db } = await open();
        await follow(db, one);
      },
    );

    test.each([
      ['real-polls.csv', 262],
      ['active-polls.csv', 10],
    ])('%s is imported completely, and a second import changes nothing', async (name, count) => {
      const { db } = await open();
      const bytes = await readFile(new URL(name, importData));
      const none = { rejected: 0, errors: [], warnings: [] };
      expect(await importPolls({ db, clock, source: sourceOf(bytes) })).toMatchObject({ inserted: count, ...none });
      expect(await importPolls({ db, clock, source: sourceOf(bytes) })).toMatchObject({
        ...{ inserted: 0, updated: 0, unchanged: count, ...none },
      });
      await expectExactCounters(db);
    });

    test('awkward strings are stored unchanged or rejected by name', async () => {
      const { db } = await open();
      const strings = JSON.parse(await readFile(new URL('naughty-strings.json', importData), 'utf8')) as string[];
      const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
      const header = 'id,question,description,options,is_active,created_at,starts_at,ends_at';
      const rows = strings.map((text, index) => {
        const options = JSON.stringify(
          [canBeSeen(text) ? text.trim() : '-', 'Other'].map((one, id) => ({ id: `o${id}`, text: one, votes: id })),
        );
        return [`n${index}`, text, 'x', options, 'no', '2024-01-01', '2024-01-01', '2024-02-01'].map(quoted).join(',');
      });
      const source = () => sourceOf(Buffer.from([header, ...rows].join('\n')));
      const { inserted, errors } = await importPolls({ db, clock, source: source() });
      expect(inserted).toBeGreaterThan(490);
      expect(errors.map(({ code }) => code).filter((code) => !['required', 'invalid_text'].includes(code))).toEqual([]);
      const stored = await db('polls')
        .join('ballot_options', { 'ballot_options.ballot_id': 'polls.id', 'ballot_options.position': db.raw('0') })
        .select<{ id: string; question: string; text: string }[]>('polls.id', 'question', 'text');
      for (const { id, question, text } of stored) {
        const stated = strings[Number(id.slice(1))]?.trim().replace(/\r\n?/g, '\n');
        expect([question, text], id).toEqual([stated, stated]);
      }
      expect(await importPolls({ db, clock, source: source() })).toMatchObject({ imported: 0, unchanged: inserted });
    });
  });
});
