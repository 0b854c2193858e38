import { createPublicKey, verify as verifySignature } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { toBase64, toHex } from '#domain/verification/bytes.ts';
import { parseCheckpoint, parseVerifierKey, verifierKey } from '#domain/verification/note.ts';
import type { Verify } from '#domain/verification/note.ts';
import { parseWitnessKey } from '#domain/verification/witness.ts';
import type { PromisedVote } from '#domain/verification/promise.ts';
import { decodeReceipt, encodeReceipt, groupCode } from '#domain/verification/receipt.ts';
import { resultSources } from '#domain/verification/comparison.ts';
import type { Totals } from '#domain/verification/comparison.ts';
import { recount } from '#domain/verification/recount.ts';
import type { Evidence, Expectations, RecountResult } from '#domain/verification/recount.ts';
import { isWritten } from '#domain/verification/paper.ts';
import { hasBallots, parseEntryBundle } from '#domain/verification/site-log.ts';
import { entriesPath, tilesAt } from '#domain/verification/tiles.ts';
import { offlineVerifierTexts as texts } from '#texts/offline-verifier.ts';
import { receiptStatusTexts, recountTexts, verdictTexts } from '#texts/verification.ts';
import {
  evidenceOf,
  hasNewerVotes,
  keysOf,
  loadEvidence,
  memoriesIn,
  problemsOfLogs,
  promisedVotes,
  withMemory,
} from './load-evidence.ts';
import { roundLines } from './round-lines.ts';
import type { Download, SiteMemory } from './load-evidence.ts';

/** The verifier that readers download: .config/offline-verifier.ts bundles it into one file without dependencies. */

const exitCodes = { verified: 0, notVerified: 1, unusable: 2, nothing: 3 } as const;

/** Ends the program with a message. */
class Unusable extends Error {}

/** There is nothing to recount, and that is a problem: a log is gone, incomplete, late, or older than what was published. */
class Differs extends Error {}

const verify: Verify = (publicKey, message, signature) => {
  // The DER encoding of an Ed25519 key is this prefix and the key.
  const key = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), publicKey]);
  return verifySignature(null, message, createPublicKey({ key, format: 'der', type: 'spki' }), signature);
};

interface Options {
  readonly keys: readonly Uint8Array[];
  readonly receipts: readonly { code: string; receipt: Uint8Array }[];
  /** What files with receipts contain. */
  readonly stored: readonly unknown[];
  /** Verifier keys of witnesses that must have cosigned the log. */
  readonly witnesses: readonly string[];
  readonly seen: string | undefined;
  readonly wholeLog: boolean;
}

interface Loaded {
  readonly evidence: Evidence;
  readonly expected: Expectations;
  readonly promised?: readonly PromisedVote[];
  readonly options?: Evidence['paper']['options'];
  readonly isReopened?: boolean;
}

const downloadFrom =
  (origin: string): Download =>
  async (path) => {
    const response = await fetch(new URL(path, origin));
    if ([401, 403, 404].includes(response.status)) return null;
    if (!response.ok) throw new Unusable(texts.failed(path, String(response.status)));
    return new Uint8Array(await response.arrayBuffer());
  };

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function readReceipts(file: string): unknown[] {
  try {
    const receipts = readJson(file);
    if (Array.isArray(receipts)) return receipts;
  } catch (error) {
    throw new Unusable(texts.failed(file, (error as Error).message));
  }
  throw new Unusable(texts.badReceipts(file));
}

function readSeen(file: string | undefined): SiteMemory[] {
  if (file === undefined) return [];
  try {
    return memoriesIn(readJson(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** All entries of the site-wide log that a checkpoint covers. */
async function wholeLog(download: Download, siteOrigin: string, size: number): Promise<string[]> {
  const entries: string[] = [];
  for (const tile of tilesAt(0, size)) {
    // An origin is a host and a path.
    const path = `${siteOrigin.slice(siteOrigin.indexOf('/'))}/${entriesPath(tile)}`;
    const bundle = parseEntryBundle((await download(path)) ?? new Uint8Array());
    if (bundle?.length !== tile.width) throw new Unusable(texts.failed(path, texts.wholeLogMismatch));
    entries.push(...bundle);
  }
  return entries;
}

const addressOfPoll = /^\/(?:poll|community-polls)\/([\w-]+)(?:\/recount)?$/;

async function fromAddress(address: URL, options: Options): Promise<Loaded | string> {
  const poll = addressOfPoll.exec(address.pathname)?.[1];
  if (poll === undefined) throw new Unusable(texts.badAddress(address.href));
  const download = downloadFrom(address.origin);
  const loaded = await loadEvidence(poll, readSeen(options.seen), download);
  if (typeof loaded === 'string') {
    if (problemsOfLogs.has(loaded)) throw new Differs(recountTexts.openInstead[loaded]);
    return recountTexts.openInstead[loaded];
  }
  const { site } = loaded.evidence;
  const head = site && parseCheckpoint(site.note);
  if (!options.wholeLog || !head) return loaded;
  const entries = await wholeLog(download, head.origin, head.size);
  return { ...loaded, evidence: { ...loaded.evidence, site: { ...site, entries } } };
}

function fromFile(file: string): Loaded {
  let found: ReturnType<typeof evidenceOf>;
  try {
    found = evidenceOf(readJson(file));
  } catch (error) {
    throw new Unusable(texts.failed(file, (error as Error).message));
  }
  if (!found) throw new Unusable(texts.badFile(file));
  const { saved, evidence, promised } = found;
  return { evidence, promised, expected: { poll: saved.poll, siteOrigin: saved.siteOrigin, keys: keysOf(saved.keys) } };
}

function table({ tally, header }: RecountResult, labels: readonly string[], totals: Totals): string {
  if (!tally || !header) return '';
  const others = resultSources.filter((source) => totals[source] !== undefined);
  const columns = [...texts.columns, ...others.map((source) => texts.others[source])];
  const sums = header.base.map((votes, option) => votes + tally.counted[option]!);
  const numbers = [tally.counted, tally.setAside, tally.held, header.base, sums, ...others.map((one) => totals[one]!)];
  const rows = labels.flatMap((label, option) =>
    isWritten(header.options[option]!) && !hasBallots(tally, option)
      ? []
      : [[label, ...numbers.map((votes) => String(votes[option]))]],
  );
  const all: (readonly string[])[] = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[i]!))).join('  '))
    .join('\n');
}

/** Control characters in texts of a poll could rewrite what the terminal shows. */
const printable = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) => `\\x${toHex(new TextEncoder().encode(character))}`);

async function verifyOne(source: string, options: Options): Promise<number> {
  const address = /^https?:\/\//.test(source) ? new URL(source) : null;
  const loaded = address ? await fromAddress(address, options) : fromFile(source);
  if (typeof loaded === 'string') {
    console.log(`${source}: ${loaded}`);
    return exitCodes.nothing;
  }
  const { evidence } = loaded;
  const expected = {
    ...loaded.expected,
    ...(options.keys.length > 0 && { keys: options.keys }),
    ...(options.witnesses.length > 0 && { witnesses: options.witnesses }),
  };
  const labels = (loaded.options ?? evidence.paper.options).map(({ label }) => printable(label));
  const receipts = options.receipts.map(({ receipt }) => receipt);
  const promised = [...(loaded.promised ?? []), ...promisedVotes(evidence.paper.poll, options.stored)];
  const result = await recount(evidence, expected, verify, { receipts, promised });
  const { verdict, detail, found, promises, cosigned } = result;
  console.log(printable(texts.question(evidence.paper.question)));
  const totals = expected.totals ?? {};
  if (result.tally) console.log(table(result, labels, totals));
  if (result.runoff) for (const line of roundLines(result.runoff, labels)) console.log(line);
  if (address && totals.page === undefined) console.log(texts.noPage);
  if (hasNewerVotes({ isReopened: loaded.isReopened === true }, result)) {
    console.log(`${source}: ${recountTexts.openInstead.reopened}`);
    return exitCodes.nothing;
  }
  const passed = verdict === 'ok';
  console.log(printable(passed ? texts.passed : texts.refused(verdict, detail)));
  console.log(verdictTexts[verdict]);
  if (cosigned) console.log(printable(`${recountTexts.cosigned(cosigned)} ${cosigned.by.join(', ')}`.trimEnd()));
  if (typeof expected.admitted === 'string') console.log(printable(expected.admitted));
  if (options.keys.length === 0) {
    console.log(texts.ownKey);
    for (const key of expected.keys) console.log(verifierKey(expected.siteOrigin || evidence.paper.origin, key));
  }
  for (const [index, ballot] of found.entries()) {
    const { code } = options.receipts[index]!;
    const option = ballot?.options.map((number) => labels[number]!).join(', ');
    const reason = printable(ballot?.reason ?? '');
    const text =
      option === undefined
        ? receiptStatusTexts.missing
        : ballot?.status === 'counted'
          ? receiptStatusTexts.counted(option)
          : `${ballot?.status === 'held' ? receiptStatusTexts.held(reason) : receiptStatusTexts.setAside(reason)} (${option})`;
    console.log(texts.receipt(code, text));
  }
  for (const [index, finding] of promises.entries())
    console.log(texts.receipt(groupCode(encodeReceipt(promised[index]!.receipt)), texts.promises[finding]));
  if (passed && address && options.seen !== undefined && evidence.site) {
    const memory = { origin: expected.siteOrigin, note: evidence.site.note, keys: result.keys.map(toBase64) };
    writeFileSync(options.seen, JSON.stringify(withMemory(readSeen(options.seen), memory)));
  }
  return passed ? exitCodes.verified : exitCodes.notVerified;
}

function readArguments(): { sources: string[]; options: Options } | null {
  let parsed;
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: {
        key: { type: 'string', multiple: true, default: [] },
        receipt: { type: 'string', multiple: true, default: [] },
        receipts: { type: 'string', multiple: true, default: [] },
        witness: { type: 'string', multiple: true, default: [] },
        seen: { type: 'string' },
        'whole-log': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new Unusable(texts.unknownOption((error as Error).message));
  }
  const { values, positionals: sources } = parsed;
  if (values.help) return null;
  if (sources.length === 0) throw new Unusable(texts.nothingGiven);
  const keys = values.key.map((key) => {
    const found = parseVerifierKey(key);
    if (!found) throw new Unusable(texts.badKey(key));
    return found.publicKey;
  });
  const receipts = values.receipt.map((code) => {
    const receipt = decodeReceipt(code);
    if (!receipt) throw new Unusable(texts.badReceipt(code));
    return { code, receipt };
  });
  const stored = values.receipts.flatMap(readReceipts);
  const { witness: witnesses, seen, 'whole-log': wholeLog } = values;
  for (const key of witnesses) if (!parseWitnessKey(key)) throw new Unusable(texts.badWitness(key));
  return { sources, options: { keys, witnesses, receipts, stored, seen, wholeLog } };
}

async function main(): Promise<number> {
  const given = readArguments();
  if (given === null) {
    console.log(texts.help);
    return exitCodes.verified;
  }
  let worst: number = exitCodes.verified;
  // A poll that isn’t verified is worse than one that can’t be checked.
  const order: number[] = [exitCodes.verified, exitCodes.nothing, exitCodes.unusable, exitCodes.notVerified];
  for (const source of given.sources) {
    let code: number;
    try {
      code = await verifyOne(source, given.options);
    } catch (error) {
      if (error instanceof Differs) console.log(`${source}: ${error.message}`);
      else console.error(error instanceof Unusable ? error.message : texts.failed(source, (error as Error).message));
      code = error instanceof Differs ? exitCodes.notVerified : exitCodes.unusable;
    }
    if (order.indexOf(code) > order.indexOf(worst)) worst = code;
  }
  return worst;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Unusable ? error.message : error);
  process.exitCode = exitCodes.unusable;
}
