import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright';
import type { Page } from 'playwright';
import { build } from 'vite';
import type { Rolldown } from 'vite';
import { freePort } from '#api/testing/postgres.setup.ts';
import { ballotLine, ballotsHeader } from '#domain/verification/ballots-file.ts';
import type { BallotStatus } from '#domain/verification/ballots-file.ts';
import { toBase64, utf8 } from '#domain/verification/bytes.ts';
import { AppendTree, leafHash, rootOfLeaves, sortLeaves } from '#domain/verification/merkle.ts';
import { checkpointText, signatureLine, signedNote } from '#domain/verification/note.ts';
import { tagOf, voteEntry } from '#domain/verification/paper.ts';
import { encodeReceipt } from '#domain/verification/receipt.ts';
import { sha256 } from '#domain/verification/sha256.ts';
import { checkpointEntry, decisionEntry, entryLeaf, openEntry, resultEntry } from '#domain/verification/site-log.ts';
import { browserFlags, findBrowser } from '#site/e2e/browser.ts';
import { median } from './report.ts';
import type { Row } from './report.ts';
import { benchTexts } from './texts.ts';

const texts = benchTexts.recount;
const ballotCount = 100_000;
/** A week of hourly checkpoints. */
const batchCount = 168;
/** Every fiftieth vote is set aside. */
const setAsideEvery = 50;
/** Slowdowns of the main thread: none, and that of a cheap phone. */
const slowdowns = [1, 4] as const;

interface Published {
  readonly file: string;
  readonly checkpoints: readonly string[];
  readonly siteNote: string;
  readonly siteEntries: readonly string[];
  readonly publicKey: string;
}

const host = 'bench.example/integrity';
const paper = {
  origin: `${host}/poll/bench`,
  poll: 'bench',
  question: 'Which of three?',
  options: ['a', 'b', 'c'].map((id) => ({ id, label: id.toUpperCase() })),
};

/** A closed poll, signed like a real one. */
function publishedPoll(): Published {
  const seed = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), randomBytes(32)]);
  const key = createPrivateKey({ key: seed, format: 'der', type: 'pkcs8' });
  const publicKey = new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32));
  const note = (origin: string, size: number, root: Uint8Array) => {
    const text = checkpointText(origin, { size, root });
    return signedNote(
      text,
      signatureLine(text, origin, publicKey, (message) => sign(null, message, key)),
    );
  };
  const { origin } = paper;
  const tag = tagOf(paper);
  const leaves = Array.from({ length: batchCount }, (): Uint8Array[] => []);
  const counted = [0, 0, 0];
  const setAside = [0, 0, 0];
  const lines = Array.from({ length: ballotCount }, (_, i) => {
    const receipt = new Uint8Array(randomBytes(16));
    const option = i % 3;
    const batch = 1 + (i % batchCount);
    leaves[batch - 1]!.push(leafHash(voteEntry(receipt, tag, option)));
    const status: BallotStatus = i % setAsideEvery === 0 ? { status: 's', decision: 1 } : { status: 'c' };
    (status.status === 'c' ? counted : setAside)[option]!++;
    return ballotLine(encodeReceipt(receipt), option, batch, status);
  });
  const tree = new AppendTree();
  const heads = leaves.map((batch) => {
    for (const leaf of sortLeaves(batch)) tree.append(leaf);
    return { size: tree.size, root: tree.root() };
  });
  const decision = {
    number: 1,
    action: 'set-aside',
    votes: ballotCount / setAsideEvery,
    reason: 'automated voting from one network',
  } as const;
  const header = ballotsHeader({
    origin,
    version: 1,
    paper: tag,
    amended: [],
    options: paper.options.map(({ id }) => id),
    base: [0, 0, 0],
    batches: heads.map(({ size }) => size),
    decisions: [decision],
    ballots: ballotCount,
  });
  const file = header + lines.sort().join('');
  const hour = '2026-11-22T12Z';
  const result = { ...heads.at(-1)!, version: 1, sha256: sha256(utf8(file)), counted, setAside, held: [0, 0, 0] };
  const siteEntries = [
    openEntry(origin, tag, 3, hour),
    ...heads.map((head) => checkpointEntry(origin, head, hour)),
    decisionEntry(origin, decision, hour),
    resultEntry(origin, result, hour),
  ];
  return {
    file,
    checkpoints: heads.map(({ size, root }) => note(origin, size, root)),
    siteEntries,
    siteNote: note(`${host}/log`, siteEntries.length, rootOfLeaves(siteEntries.map((text) => entryLeaf(text)))),
    publicKey: toBase64(publicKey),
  };
}

/** The recount for a page that isn’t built: `globalThis.timeRecount`. */
async function script(): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      rolldownOptions: {
        input: new URL('recount.page.ts', import.meta.url).pathname,
        output: { format: 'iife' },
      },
    },
  })) as Rolldown.RolldownOutput;
  return built.output[0].code;
}

interface RecountBenchOptions {
  readonly rounds: number;
  report(line: string): void;
}

/** Times complete recounts, signatures included, on the main thread of a browser. */
export async function benchRecount(options: RecountBenchOptions): Promise<Row[]> {
  const published = publishedPoll();
  const bytes = gzipSync(published.file).length / ballotCount;
  const code = await script();
  const port = await freePort();
  // Signatures can be verified on pages of localhost or with HTTPS only.
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html>'));
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags });
  try {
    const rows: Row[] = [];
    for (const slowdown of slowdowns) {
      const times: number[] = [];
      for (let round = 1; round <= options.rounds; round++) {
        const page = await browser.newPage();
        await page.goto(`http://127.0.0.1:${port}`);
        await page.addScriptTag({ content: code });
        const ms = await timed(page, published, slowdown);
        await page.close();
        times.push(ms);
        options.report(texts.line({ round, rounds: options.rounds, slowdown, ms }));
      }
      rows.push({
        [texts.columns.slowdown]: texts.slowdown(slowdown),
        [texts.columns.ms]: Math.round(median(times)).toLocaleString('en-US'),
        [texts.columns.worst]: Math.round(Math.max(...times)).toLocaleString('en-US'),
        [texts.columns.bytes]: bytes.toFixed(1),
      });
    }
    return rows;
  } finally {
    await browser.close();
    server.close();
  }
}

/** Milliseconds of one recount; throws unless it passes. */
async function timed(page: Page, published: Published, slowdown: number): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const { verdict, ms } = await page.evaluate(([poll, ballot]) => globalThis.timeRecount(poll, ballot), [
    published,
    paper,
  ] as const);
  if (verdict !== 'ok') throw new Error(texts.refused(verdict));
  return ms;
}
