import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { parseCheckpoint } from '#domain/verification/note.ts';
import { encodeReceipt, groupCode } from '#domain/verification/receipt.ts';
import { rootOfLeaves } from '#domain/verification/merkle.ts';
import { entryLeaf } from '#domain/verification/site-log.ts';
import { recount } from '#domain/verification/recount.ts';
import type { SiteEvidence } from '#domain/verification/recount.ts';
import { toBase64 } from '#domain/verification/bytes.ts';
import { fixedClock } from '#platform/clock.ts';
import { logKeyOf, signedCheckpoint } from '#api/integrity/log/signing.ts';
import { tick } from '#api/integrity/log/tick.service.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { quickFolder } from '#api/testing/quick-folder.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import { verifySignature } from '#api/integrity/log/signing.ts';
import { castVotes, logWriter, otherLogSeed, testLogSeed } from '#api/testing/vote-logs.ts';
import { receiptsOf } from '#api/voting/receipts.ts';
import { receiptStatusTexts } from '#texts/verification.ts';
import { evidenceOf, loadEvidence, savedSite } from './load-evidence.ts';
import type { Download, SiteMemory } from './load-evidence.ts';
import { receiptStatus } from './receipt-status.ts';

const verifier = fileURLToPath(new URL('offline-verifier.ts', import.meta.url));

oneDatabase((open) => {
  const start = async () => {
    const { db } = await open();
    const clock = fixedClock(testNow);
    const app = await startTestApp(db, { clock });
    const writer = { ...logWriter(db, clock), keys: [logKeyOf(testLogSeed)] };
    await seedPolls(db, [{ id: 'tea', votes: [5, 0, 7] }]);
    await tick(writer);
    const download: Download = async (path) => {
      const response = await app.fetch(path);
      return response.status === 404 ? null : new Uint8Array(await response.arrayBuffer());
    };
    /** Casts votes, and makes the next checkpoint an hour later. */
    const vote = async (option: string, count: number) => {
      const devices = await castVotes(db, 'tea', option, count);
      clock.set(clock.now() + 3_600_000);
      await tick(writer);
      return devices;
    };
    const close = async () => {
      await db('ballots').where({ id: 'tea' }).update({ closed_at: clock.now(), is_active: false });
      await tick(writer);
    };
    const stored = async (device: string, optionId: string) => {
      const { key } = await db('ballots').where({ id: 'tea' }).first<{ key: number }>('key');
      const receipt = groupCode(encodeReceipt((await receiptsOf(db, key))!(device, null)));
      return { poll: 'tea', question: '', receipt, optionId, option: optionId, day: '2026-11-22', path: '/poll/tea' };
    };
    return { db, clock, writer, app, download, vote, close, stored };
  };

  test('what a closed poll publishes can be loaded and verified, and again with what was seen before', async () => {
    const { download, vote, close } = await start();
    await vote('o1', 31);
    expect(await loadEvidence('tea', [], download)).toBe('open');
    expect(await loadEvidence('coffee', [], download)).toBe('not-found');
    await close();
    const first = await loadEvidence('tea', [], download);
    if (typeof first === 'string') throw new Error(first);
    const { evidence, expected } = first;
    const verified = await recount(evidence, { ...expected, totals: { page: [36, 0, 7] } }, verifySignature);
    expect(verified).toMatchObject({ verdict: 'ok', tally: { counted: [31, 0, 0] } });

    const note = evidence.site!.note;
    const memory: SiteMemory = { origin: expected.siteOrigin, note, keys: verified.keys.map(toBase64) };
    const again = async (seen: SiteMemory) => {
      const loaded = await loadEvidence('tea', [seen], download);
      if (typeof loaded === 'string') throw new Error(loaded);
      return (await recount(loaded.evidence, loaded.expected, verifySignature)).verdict;
    };
    expect(await again(memory)).toBe('ok');
    const { size } = parseCheckpoint(note)!;
    const withSize = (other: number) => ({ ...memory, note: note.replace(`\n${size}\n`, `\n${other}\n`) });
    expect(await again(withSize(size - 1))).toBe('history-rewritten');
    expect(await again(withSize(size + 1))).toBe('history-rewritten');
    expect(await again({ ...memory, keys: [toBase64(new Uint8Array(32))] })).toBe('unknown-key');
    // A reader who has seen a later log may still verify the polls of the one before.
    expect(await again({ ...withSize(1), origin: `${expected.siteOrigin}/2` })).toBe('ok');
  });

  test('a reader who saw the log before its key was replaced verifies it when the old key no longer signs', async () => {
    const { db, clock, writer, download, vote, close } = await start();
    await vote('o1', 31);
    const seen = parseCheckpoint((await writer.copy.newest())!)!;
    const memory: SiteMemory = {
      ...{ origin: seen.origin, note: (await writer.copy.newest())! },
      keys: [toBase64(logKeyOf(testLogSeed).publicKey)],
    };
    const withSeeds = (...seeds: string[]) => ({ ...writer, keys: seeds.map(logKeyOf) });
    const third = '33'.repeat(32);
    await tick(withSeeds(otherLogSeed, testLogSeed));
    clock.set(clock.now() + 31 * 86_400_000);
    await castVotes(db, 'tea', 'o2', 25);
    await tick(withSeeds(otherLogSeed));
    await tick(withSeeds(third, otherLogSeed));
    clock.set(clock.now() + 31 * 86_400_000);
    writer.keys.splice(0, 1, logKeyOf(third));
    await close();
    const loaded = await loadEvidence('tea', [memory], download);
    if (typeof loaded === 'string') throw new Error(loaded);
    const { evidence, expected } = loaded;
    const verdictWith = async (change: Partial<SiteEvidence>) =>
      (await recount({ ...evidence, site: { ...evidence.site!, ...change } }, expected, verifySignature)).verdict;
    expect(await verdictWith({})).toBe('ok');
    // In a saved file, too.
    const saved = JSON.parse(JSON.stringify(savedSite(evidence.site!))) as ReturnType<typeof savedSite>;
    const read = evidenceOf({
      format: 'weathervane poll 1',
      file: '',
      checkpoints: [],
      paper: evidence.paper,
      site: saved,
    });
    expect(evidence.site).toMatchObject(read!.evidence.site!);
    const [first, second] = evidence.site!.handovers!;
    expect(await verdictWith({ handovers: [first!] })).toBe('unknown-key');
    expect(await verdictWith({ handovers: [second!] })).toBe('unknown-key');
    // An announcement that the checkpoint does not have.
    const forged = { ...first!, entry: { ...first!.entry, text: second!.entry.text } };
    expect(await verdictWith({ handovers: [forged, second!] })).toBe('unknown-key');
    // A trusted key has signed it, but for the log of a poll.
    const head = { size: 1, root: rootOfLeaves([entryLeaf(first!.entry.text)]) };
    const note = signedCheckpoint(seen.origin.replace('/log', '/poll/tea'), head, [logKeyOf(testLogSeed)]);
    const elsewhere = { note, entry: { ...first!.entry, index: 0, proof: [] } };
    expect(await verdictWith({ handovers: [elsewhere, second!] })).toBe('bad-site-log');
    // From a server of the previous release.
    const older: Download = async (path) => {
      const bytes = await download(path);
      if (bytes === null || !path.includes('/site-entries')) return bytes;
      return Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(bytes).toString()), handovers: undefined }));
    };
    expect(await loadEvidence('tea', [], older)).toMatchObject({ evidence: { site: { handovers: [] } } });
  });

  test('the verifier for Node.js verifies a poll by its address, also with the whole log and with what it saw before', async () => {
    const { app, vote, close } = await start();
    const address = `${app.origin}/poll/tea`;
    const folder = mkdtempSync(join(quickFolder(), 'seen-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const seen = join(folder, 'seen.json');
    const run = (...args: string[]) =>
      new Promise<{ code: number | null; output: string }>((done) => {
        const child = execFile(process.execPath, [verifier, ...args], (_error, stdout, stderr) =>
          done({ code: child.exitCode, output: stdout + stderr }),
        );
      });
    await vote('o1', 31);
    expect(await run(address)).toMatchObject({ code: 3 });
    await close();
    const first = await run(address, '--seen', seen, '--whole-log');
    expect(first.output).toContain('VERIFIED\n');
    expect(first.code).toBe(0);
    expect(await run(address, '--seen', seen)).toMatchObject({ code: 0 });
    const memories = JSON.parse(readFileSync(seen, 'utf8')) as SiteMemory[];
    const rewritten = memories.map((memory) => ({ ...memory, note: memory.note.replace(/\n\d+\n/, '\n1\n') }));
    writeFileSync(seen, JSON.stringify(rewritten));
    const second = await run(address, '--seen', seen);
    expect(second.output).toContain('NOT VERIFIED: history-rewritten');
    expect(second.code).toBe(1);
    expect(JSON.parse(readFileSync(seen, 'utf8'))).toEqual(rewritten);
    // A poll without anything to recount hides no rewritten log.
    const gone = await run(`${app.origin}/poll/gone`, '--seen', seen);
    expect(gone.output).toContain('The site-wide log no longer contains what was seen of it earlier');
    expect(gone.code).toBe(1);
    expect(await run(`${app.origin}/about`)).toMatchObject({ code: 2 });
  });

  test('a receipt is waiting, then in the log, and at last in the published list; a foreign one is missing', async () => {
    const { download, vote, close, stored } = await start();
    const [device] = await vote('o1', 5);
    const receipt = await stored(device!, 'o1');
    const statusNow = async (of = receipt) => (await receiptStatus(of, download, verifySignature)).text;
    expect(await statusNow()).toBe(receiptStatusTexts.waiting);
    await vote('o2', 40);
    expect(await statusNow()).toBe(receiptStatusTexts.logged);
    expect(await statusNow({ ...receipt, optionId: 'o2' })).toBe(receiptStatusTexts.waiting);
    await close();
    expect(await statusNow()).toMatch(/^Your vote is in the published list, counted for /);
    expect(await statusNow({ ...receipt, optionId: 'o2' })).toMatch(/^The list has this receipt with another option/);
    const foreign = { ...receipt, receipt: encodeReceipt(new Uint8Array(16)) };
    expect(await statusNow(foreign)).toBe(receiptStatusTexts.missing);
  });
});
