import { createPrivateKey, createPublicKey, sign, verify as verifySignature } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256 } from '@noble/hashes/sha2.js';
import { ballotLine, ballotsHeader } from './ballots-file.ts';
import type { BallotsHeader, BallotStatus } from './ballots-file.ts';
import { fromBase64, fromHex, utf8 } from './bytes.ts';
import vectors from './fixtures/vectors.json' with { type: 'json' };
import { leafHash, rootOfLeaves, sortLeaves } from './merkle.ts';
import type { TreeHead } from './merkle.ts';
import { checkpointText, signatureLine, signedNote, verifierKey } from './note.ts';
import type { Verify } from './note.ts';
import { tagOf, voteEntry } from './paper.ts';
import type { Paper } from './paper.ts';
import { encodeReceipt } from './receipt.ts';
import { recount } from './recount.ts';
import type { Evidence, Expectations } from './recount.ts';
import {
  amendEntry,
  checkpointEntry,
  decisionEntry,
  entryLeaf,
  keyEntry,
  openEntry,
  reopenEntry,
  restoreEntry,
  resultEntry,
} from './site-log.ts';
import type { LoggedDecision, Tally } from './site-log.ts';

const { poll } = vectors;
const publicKey = fromBase64(vectors.keys.publicKey)!;

const verify: Verify = (raw, message, signature) => {
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]);
  return verifySignature(null, message, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature);
};

type Published = Pick<typeof poll, 'file' | 'notes' | 'siteEntries' | 'siteNote'>;

const evidenceOf = ({ file, notes, siteEntries, siteNote }: Published): Evidence => ({
  file: utf8(file),
  paper: poll.paper,
  checkpoints: notes,
  site: { note: siteNote, entries: siteEntries },
});
/** Batches that are made here have six votes. */
const expected: Expectations = { poll: poll.paper.poll, siteOrigin: poll.siteOrigin, keys: [publicKey], leastBatch: 6 };

test('An untouched poll passes, with its totals and the votes that were set aside', async () => {
  const totals = { page: [4579, 10], api: [4579, 10] };
  const result = await recount(evidenceOf(poll), { ...expected, totals, leastBatch: undefined }, verify);
  expect(result).toMatchObject({
    verdict: 'ok',
    detail: null,
    tally: { counted: [9, 10], setAside: [0, 2], held: [1, 0] },
    siteHead: { size: 7 },
  });
});

test.each(vectors.tampered)('A tampered poll is found out: $what', async ({ expected: verdict, input }) => {
  const keys = [fromBase64(input.publicKey)!];
  expect((await recount(evidenceOf(input), { ...expected, keys }, verify)).verdict).toBe(verdict);
});

test('The reader’s receipts are found with option and status, and a foreign receipt is not', async () => {
  const receipts = poll.ballots.map(({ receipt }) => fromHex(receipt)!);
  const lookups = [...receipts, new Uint8Array(16)];
  const { found } = await recount(evidenceOf(poll), expected, verify, { receipts: lookups });
  expect(found).toEqual([
    ...poll.ballots.map(({ option, status }) => ({
      options: [option],
      status: { c: 'counted', s: 'set-aside', h: 'held' }[status[0]!],
      reason: { c: null, s: 'automated voting from one network', h: 'waiting for the operator' }[status[0]!],
    })),
    null,
  ]);
});

test('A ballots file with a mistyped receipt, other spellings, unknown numbers, or missing lines is refused', async () => {
  const withFile = (file: string) => recount({ ...evidenceOf(poll), file: utf8(file) }, expected, verify);
  const bad = [
    poll.file.replace('23J6X1H1WC0174703J0ETVH29W4E', '23J6X1H1WC0174703J0ETVH29W4Z'),
    poll.file.replace('29W4E\t0\t1', '29W4E\t00\t1'),
    poll.file.slice(0, -1),
    poll.file.replace('29W4E\t0\t1', '29W4E\t2\t1'),
    poll.file.replace('29W4E\t0\t1', '29W4E\t0\t3'),
    poll.file.replace('\ts1\n', '\ts3\n'),
    poll.file.replace('\ts1\n', '\th1\n'),
    poll.file.replaceAll('\n', '\r\n'),
    poll.file.replace('option 1 coffee\n', ''),
    poll.file.replace('ballots 22\n', 'ballots 22\nnote hello\n'),
    '',
  ];
  for (const file of bad) expect((await withFile(file)).verdict, file).toBe('bad-format');
  const { detail } = await withFile(bad[0]!);
  expect(detail).toBe('line 16');
});

test('Another paper, another poll, and other shown totals are found out', async () => {
  const evidence = evidenceOf(poll);
  const paper = { ...poll.paper, question: 'Coffee or tea?' };
  expect(await recount({ ...evidence, paper }, expected, verify)).toMatchObject({ verdict: 'wrong-paper' });
  const other = { ...expected, poll: 'another' };
  expect(await recount(evidence, other, verify)).toMatchObject({ verdict: 'wrong-origin' });
  const shown = { ...expected, totals: { page: [4580, 10] } };
  expect(await recount(evidence, shown, verify)).toMatchObject({
    ...{ verdict: 'tally-mismatch', siteHead: null },
    differences: [{ source: 'page', option: 0, votes: 4580, logged: 4579 }],
  });
  const admitted = { ...expected, admitted: 'The recorded votes differ from the log.' };
  expect(await recount(evidence, admitted, verify)).toMatchObject({ verdict: 'site-differs', siteHead: null });
});

test('A site-wide log that no longer begins with what this reader saw is found out', async () => {
  const leaves = poll.siteEntries.map((text) => entryLeaf(text));
  const seen = (entries: Uint8Array[]): TreeHead => ({ size: entries.length, root: rootOfLeaves(entries) });
  const proof = [rootOfLeaves(leaves.slice(4))];
  // Four of seven: the proof is the root over the other three.
  const honest = { head: seen(leaves.slice(0, 4)), proof };
  const rewritten = { head: seen([...leaves.slice(0, 3), sha256(utf8('other'))]), proof };
  const longer = { head: seen([...leaves, leaves[0]!]), proof: [] };
  const verdictFor = async (remembered: Expectations['remembered']) =>
    (await recount(evidenceOf(poll), { ...expected, remembered }, verify)).verdict;
  expect(await verdictFor(honest)).toBe('ok');
  expect(await verdictFor(rewritten)).toBe('history-rewritten');
  expect(await verdictFor(longer)).toBe('history-rewritten');
});

test('A log that continues the one this reader saw, after a restore, is accepted only with an entry that says so', async () => {
  const evidence = published([]);
  const old = ['a', 'b', 'c'].map((text) => leafHash(utf8(text)));
  const oldOrigin = 'weathervane.example/integrity/log/1';
  const continued = new Operator().note(oldOrigin, old);
  const remembered = {
    head: { size: 2, root: rootOfLeaves(old.slice(0, 2)) },
    proof: [old[2]!],
    continued,
  };
  const verdictFor = async (given: Evidence, seen: Expectations['remembered']) =>
    (await recount(given, { ...expected, remembered: seen }, verify)).verdict;
  expect(await verdictFor(evidence, remembered)).toBe('history-rewritten');
  const restored = published([], { extra: [restoreEntry(poll.siteOrigin, continued, '2026-11-22T10Z')] });
  expect(await verdictFor(restored, remembered)).toBe('ok');
  const other = { size: 2, root: rootOfLeaves(old.slice(1)) };
  expect(await verdictFor(restored, { ...remembered, head: other })).toBe('history-rewritten');
});

/** A poll whose operator signs anything, also what contradicts itself. */
class Operator {
  readonly origin = poll.paper.origin;
  readonly paper: Paper = poll.paper;
  readonly tag = tagOf(poll.paper);
  readonly #key;

  constructor(seed = vectors.keys.seed) {
    this.#key = createPrivateKey({
      key: Buffer.from(`302e020100300506032b657004220420${seed}`, 'hex'),
      format: 'der',
      type: 'pkcs8',
    });
  }

  get publicKey(): Uint8Array {
    return new Uint8Array(createPublicKey(this.#key).export({ format: 'der', type: 'spki' }).subarray(-32));
  }

  note(origin: string, leaves: readonly Uint8Array[]): string {
    const text = checkpointText(origin, { size: leaves.length, root: rootOfLeaves(leaves) });
    const signature = signatureLine(text, origin, this.publicKey, (message) => sign(null, message, this.#key));
    return signedNote(text, signature);
  }
}

interface Ballot {
  option: number;
  batch: number;
  ballot: BallotStatus;
}

const twelve: Ballot[] = Array.from({ length: 12 }, (_, i) => ({
  option: i % 2,
  batch: i < 6 ? 1 : 2,
  ballot: i === 0 ? { status: 's', decision: 1 } : { status: 'c' },
}));
const decided: LoggedDecision = { number: 1, action: 'set-aside', votes: 1, reason: 'votes cast for testing' };

/** Everything an operator publishes about ballots; `change` alters what the file or the log claims before it is signed. */
function published(
  ballots: readonly Ballot[],
  change: {
    header?: Partial<BallotsHeader>;
    logged?: readonly LoggedDecision[];
    tally?: Partial<Tally>;
    extra?: readonly string[];
    pollOperator?: Operator;
  } = {},
): Evidence {
  const operator = new Operator();
  const { origin, tag, paper } = operator;
  const receipts = ballots.map((_, i) => sha256(utf8(`receipt ${i}`)).slice(0, 16));
  const inBatch = (batch: number) =>
    sortLeaves(
      ballots.flatMap(({ option, batch: own }, i) =>
        own === batch ? [leafHash(voteEntry(1, { receipt: receipts[i]!, tag, options: [option] }))] : [],
      ),
    );
  const count = Math.max(0, ...ballots.map(({ batch }) => batch));
  const trees = Array.from({ length: count }, (_, k) =>
    Array.from({ length: k + 1 }, (_unused, i) => inBatch(i + 1)).flat(),
  );
  const heads = trees.map((leaves) => ({ size: leaves.length, root: rootOfLeaves(leaves) }));
  const decisions = ballots.some(({ ballot }) => ballot.status !== 'c') ? [decided] : [];
  const header: BallotsHeader = {
    format: 1,
    origin,
    version: 1,
    paper: tag,
    amended: [],
    options: paper.options.map(({ id }) => id),
    base: [0, 0],
    batches: heads.map(({ size }) => size),
    decisions,
    ballots: ballots.length,
    ...change.header,
  };
  const lines = ballots.map(({ option, batch, ballot }, i) =>
    ballotLine(encodeReceipt(receipts[i]!), [option], batch, ballot),
  );
  const file = utf8(ballotsHeader(header) + lines.sort().join(''));
  const votes = (status: string) =>
    [0, 1].map((option) => ballots.filter((one) => one.ballot.status === status && one.option === option).length);
  const tally: Tally = { counted: votes('c'), setAside: votes('s'), held: votes('h'), ...change.tally };
  const hour = '2026-11-22T10Z';
  const last = heads.at(-1) ?? { size: 0, root: rootOfLeaves([]) };
  const entries = [
    keyEntry(verifierKey(poll.siteOrigin, operator.publicKey), hour),
    openEntry(origin, tag, 2, hour),
    ...(change.extra ?? []),
    ...heads.map((head) => checkpointEntry(origin, head, hour)),
    ...(change.logged ?? decisions).map((decision) => decisionEntry(origin, decision, hour)),
    resultEntry(origin, { ...last, version: 1, sha256: sha256(file), ...tally }, hour),
  ];
  const leaves = entries.map((text) => entryLeaf(text));
  return {
    file,
    paper,
    checkpoints: [[], ...trees].map((tree) => (change.pollOperator ?? operator).note(origin, tree)),
    site: { note: operator.note(poll.siteOrigin, leaves), entries },
  };
}

const verdictOf = async (evidence: Evidence) => (await recount(evidence, expected, verify)).verdict;

test('A poll passes with checkpoint 0, amendments, and released decisions, and so does one without votes', async () => {
  const amended = sha256(utf8('corrected wording'));
  const released: LoggedDecision = { ...decided, number: 2, action: 'release' };
  const evidence = published(twelve, {
    header: { amended: [amended], decisions: [decided, released] },
    extra: [amendEntry(poll.paper.origin, amended, '2026-11-22T09Z')],
    logged: [decided, { ...released, action: 'hold' }, released],
  });
  expect(await recount(evidence, expected, verify)).toMatchObject({ verdict: 'ok', detail: null });
  expect(await recount(published([]), expected, verify)).toMatchObject({ verdict: 'ok', detail: null });
});

test('A header whose numbers of batches, ballots, or decisions differ from the ballots is found out', async () => {
  const wrong = (header: Partial<BallotsHeader>, logged?: LoggedDecision[]) =>
    verdictOf(published(twelve, { header, ...(logged && { logged }) }));
  const two = { ...decided, votes: 2 };
  expect(await wrong({ batches: [5, 12] })).toBe('size-mismatch');
  expect(await wrong({ batches: [6, 12, 13] })).toBe('size-mismatch');
  expect(await wrong({ ballots: 13 })).toBe('size-mismatch');
  expect(await wrong({ decisions: [two] }, [two])).toBe('tally-mismatch');
});

test('What the site-wide log doesn’t say is found out: a decision, an amendment, other totals', async () => {
  expect(await verdictOf(published(twelve, { logged: [] }))).toBe('not-in-site-log');
  expect(await verdictOf(published(twelve, { logged: [decided, { ...decided, number: 2 }] }))).toBe('not-in-site-log');
  const amended = [sha256(utf8('another wording'))];
  expect(await verdictOf(published(twelve, { header: { amended } }))).toBe('not-in-site-log');
  expect(await verdictOf(published(twelve, { tally: { counted: [6, 6] } }))).toBe('tally-mismatch');
});

test('A key that the verified site-wide log announces may sign checkpoints of polls, and no other key', async () => {
  const other = new Operator('11'.repeat(32));
  expect(await verdictOf(published(twelve, { pollOperator: other }))).toBe('unknown-key');
  const extra = [keyEntry(verifierKey(poll.siteOrigin, other.publicKey), '2026-11-22T09Z')];
  expect(await verdictOf(published(twelve, { pollOperator: other, extra }))).toBe('ok');
});

test('A poll that isn’t public is recounted without the site-wide log', async () => {
  const evidence = { ...published(twelve), site: null };
  expect(await verdictOf(evidence)).toBe('ok');
  const oneLess = new TextDecoder().decode(evidence.file).replace(/\n[^\n]*\n$/, '\n');
  expect(await verdictOf({ ...evidence, file: utf8(oneLess) })).toBe('size-mismatch');
});

test('Entries of the site-wide log are accepted with their inclusion proofs, and not with those of others', async () => {
  const evidence = published([]);
  const entries = evidence.site!.entries as string[];
  const leaves = entries.map((text) => entryLeaf(text));
  // Three entries: key, opening, result.
  const proofs = [[leaves[1]!, leaves[2]!], [leaves[0]!, leaves[2]!], [rootOfLeaves(leaves.slice(0, 2))]];
  const proven = entries.map((text, index) => ({ index, text, proof: proofs[index]! }));
  const withEntries = (list: typeof proven) =>
    verdictOf({ ...evidence, site: { note: evidence.site!.note, entries: list } });
  expect(await withEntries(proven)).toBe('ok');
  expect(await withEntries(proven.slice(1))).toBe('ok');
  expect(await withEntries(proven.slice(0, 2))).toBe('file-not-in-site-log');
  expect(await withEntries(proven.toReversed())).toBe('bad-site-log');
  expect(await withEntries([proven[0]!, { ...proven[1]!, proof: proofs[0]! }, proven[2]!])).toBe('bad-site-log');
});

/** An earlier result of a poll, after its first batch of six. */
const earlierResult = (format: 1 | 2 = 2) => {
  const tag = tagOf(poll.paper);
  const leaves = twelve
    .slice(0, 6)
    .map(({ option }, i) => ({ receipt: sha256(utf8(`receipt ${i}`)).slice(0, 16), tag, options: [option] }))
    .map((vote) => leafHash(voteEntry(1, vote)));
  const head = { size: 6, root: rootOfLeaves(sortLeaves(leaves)) };
  const tally = { counted: [3, 3], setAside: [0, 0], held: [0, 0] };
  return resultEntry(
    poll.paper.origin,
    { ...head, ...tally, format, version: 1, sha256: sha256(utf8('')) },
    '2026-11-22T09Z',
  );
};

test('Votes that were logged after a result are found out, unless the poll was reopened or the result is older than this rule', async () => {
  const grown = (...extra: string[]) => verdictOf(published(twelve, { extra }));
  expect(await grown(earlierResult())).toBe('closed-log-grew');
  expect(await grown(earlierResult(), reopenEntry(poll.paper.origin, 1, '2026-11-22T09Z'))).toBe('ok');
  expect(await grown(reopenEntry(poll.paper.origin, 1, '2026-11-22T09Z'), earlierResult())).toBe('closed-log-grew');
  expect(await grown(earlierResult(), reopenEntry('another.example/integrity/poll/x', 1, '2026-11-22T09Z'))).toBe(
    'closed-log-grew',
  );
  expect(await grown(earlierResult(1))).toBe('ok');
});

test('A group of fewer than ten votes is found out, unless it is the last one before a result', async () => {
  const verdictFor = async (evidence: Evidence) =>
    (await recount(evidence, { ...expected, leastBatch: undefined }, verify)).verdict;
  expect(await verdictFor(published(twelve))).toBe('small-batch');
  expect(await verdictFor(published(twelve.map((ballot) => ({ ...ballot, batch: 1 }))))).toBe('ok');
  expect(await verdictFor(published(twelve.slice(0, 6)))).toBe('ok');
  const extra = [earlierResult(), reopenEntry(poll.paper.origin, 1, '2026-11-22T09Z')];
  expect(await verdictFor(published(twelve, { extra }))).toBe('ok');
});
