import { expect, test } from 'vitest';
import { verifySignature } from '#api/integrity/log/signing.ts';
import {
  referenceDecoded,
  referenceHolds,
  referencePromises,
  referenceReceipt,
  referenceRecount,
} from '#api/testing/reference-verifier.ts';
import type { ReferencePoll } from '#api/testing/reference-verifier.ts';
import { vectorsOfFormat2 } from '#api/testing/reference-vectors.ts';
import { fromBase64, fromHex, toHex, utf8 } from './bytes.ts';
import vectors2 from './fixtures/vectors-2.json' with { type: 'json' };
import vectors from './fixtures/vectors.json' with { type: 'json' };
import { paperBytes, tagOf, voteEntry } from './paper.ts';
import type { Paper } from './paper.ts';
import { checkPromise } from './promise.ts';
import type { PromisedVote, VotePromise } from './promise.ts';
import { decodeReceipt, encodeReceipt, groupCode, receiptOfParts } from './receipt.ts';
import { leastBatch, recount } from './recount.ts';

const key = fromBase64(vectors.keys.publicKey)!;
const paper = vectors2.poll.paper as Paper;
const promised = vectors2.promises.map(({ code, optionId, promise }) => ({
  ...{ receipt: decodeReceipt(code)!, optionId, promise },
}));
const [first] = promised;

/** What the verifier of the site finds in a poll that the reference has published. */
async function recounted(poll: ReferencePoll, votes: readonly PromisedVote[] = []) {
  const { file, notes: checkpoints, siteEntries: entries, siteNote: note, siteOrigin } = poll;
  const evidence = { file: utf8(file), paper: poll.paper as Paper, checkpoints, site: { note, entries } };
  const expected = { poll: paper.poll, siteOrigin, keys: [key], leastBatch };
  return recount(evidence, expected, verifySignature, { promised: votes });
}

test('The vectors of format 2 are what the reference writes, which shares no code with the verifiers', () => {
  expect(vectorsOfFormat2()).toEqual(vectors2);
});

test('Receipts, paper, and tag of format 2 have the documented bytes', () => {
  for (const { part, nonce, receipt, code } of vectors2.receipts) {
    expect(toHex(receiptOfParts(fromHex(part)!, fromHex(nonce)!))).toBe(receipt);
    expect(encodeReceipt(fromHex(receipt)!)).toBe(code);
  }
  expect(toHex(paperBytes(paper))).toBe(vectors2.paperBytes);
  expect(toHex(tagOf(paper))).toBe(vectors2.tag);
});

test('A poll of format 2 is verified with its promises, by the verifiers and by the reference', async () => {
  const result = await recounted(vectors2.poll, promised);
  expect(result).toMatchObject({ verdict: 'ok', tally: { counted: [9, 10], setAside: [0, 2], held: [1, 0] } });
  expect(result.promises).toEqual(promised.map(() => 'kept'));
  expect(referenceRecount(vectors2.poll, key, vectors2.promises)).toBe('ok');
});

test('A vote that is missing from a properly signed list is proven by its promise, and without one the list looks right', async () => {
  expect((await recounted(vectors2.withoutFirst)).verdict).toBe('ok');
  expect(await recounted(vectors2.withoutFirst, promised)).toMatchObject({
    verdict: 'broken-promise',
    promises: ['broken', 'kept', 'kept', 'kept', 'kept'],
  });
  expect(referenceRecount(vectors2.withoutFirst, key, vectors2.promises)).toBe('broken');
  expect(referenceRecount(vectors2.withoutFirst, key)).toBe('ok');
});

test('A vote with another option in the list is proven by its promise as well', async () => {
  const other = referencePromises(
    vectors2.poll.paper,
    [
      {
        part: Buffer.from(first!.promise.part, 'hex'),
        nonce: Buffer.from(first!.promise.nonce, 'hex'),
        options: [1],
        result: 1,
      },
    ],
    Buffer.from(vectors.keys.seed, 'hex'),
  );
  const vote = { receipt: first!.receipt, optionId: 'coffee', promise: other[0]! };
  expect((await recounted(vectors2.poll, [vote])).verdict).toBe('broken-promise');
});

const changes: readonly [what: string, changed: Partial<VotePromise> & { optionId?: string }, finding: string][] = [
  ['another option', { optionId: 'coffee' }, 'bad-format'],
  ['an option that is not on the paper', { optionId: 'water' }, 'bad-format'],
  ['another place', { index: 1 }, 'bad-format'],
  ['a shorter way', { proof: promised[0]!.promise.proof.slice(1) }, 'bad-format'],
  ['a hash that isn’t one', { proof: [...promised[0]!.promise.proof.slice(1), 'AA=='] }, 'bad-format'],
  ['an earlier result', { result: 2 }, 'bad-format'],
  ['another nonce', { nonce: promised[1]!.promise.nonce }, 'bad-format'],
  ['another part of the server', { part: promised[1]!.promise.part }, 'other-receipt'],
  ['another deadline', { note: promised[0]!.promise.note.replace('3600', '7200') }, 'bad-format'],
  ['no signature', { note: promised[0]!.promise.note.split('—')[0]! }, 'unknown-key'],
];

test.each(changes)('A promise with %s proves nothing', async (_, { optionId = 'tea', ...changed }, finding) => {
  const vote = { receipt: first!.receipt, optionId, promise: { ...first!.promise, ...changed } };
  expect(await checkPromise(paper, vote, [key], verifySignature)).toBe(finding);
  const code = groupCode(encodeReceipt(first!.receipt));
  expect(referenceHolds(vectors2.poll.paper, { code, optionId, promise: vote.promise }, key)).toBe(false);
  expect((await recounted(vectors2.withoutFirst, [vote])).verdict).toBe('ok');
});

test('A promise counts for the result that it names and later ones, and is worth nothing with an unknown key', async () => {
  const [later] = referencePromises(
    vectors2.poll.paper,
    [
      {
        part: Buffer.from(first!.promise.part, 'hex'),
        nonce: Buffer.from(first!.promise.nonce, 'hex'),
        options: [0],
        result: 2,
      },
    ],
    Buffer.from(vectors.keys.seed, 'hex'),
  );
  const vote = { ...first!, promise: later! };
  expect(await recounted(vectors2.withoutFirst, [vote])).toMatchObject({ verdict: 'ok', promises: ['later'] });
  expect(await checkPromise(paper, first!, [new Uint8Array(32)], verifySignature)).toBe('unknown-key');
});

const { file } = vectors2.poll;
const [row] = file.split('\n\n')[1]!.split('\n');
const tampered: readonly [what: string, poll: ReferencePoll, verdict: string, reference: string][] = [
  [
    'a changed option',
    { ...vectors2.poll, file: file.replace(/\t0\t(\d)\tc\n/, '\t1\t$1\tc\n') },
    'root-mismatch',
    'checkpoint',
  ],
  ['a missing row', { ...vectors2.poll, file: file.replace(`${row}\n`, '') }, 'size-mismatch', 'checkpoint'],
  [
    'the format of earlier logs',
    { ...vectors2.poll, file: file.replace('ballots 2', 'ballots 1') },
    'bad-format',
    'format',
  ],
  [
    'a kind of choice that nobody knows',
    { ...vectors2.poll, paper: { ...vectors2.poll.paper, choice: 'two' } },
    'bad-format',
    'format',
  ],
  [
    'another wording',
    { ...vectors2.poll, paper: { ...vectors2.poll.paper, question: 'Tea?' } },
    'wrong-paper',
    'paper',
  ],
  [
    'several options in a row',
    { ...vectors2.poll, file: file.replace(/\t0\t(\d)\tc\n/, '\t0,1\t$1\tc\n') },
    'bad-format',
    'format',
  ],
];

test.each(tampered)(
  'A poll of format 2 with %s is refused by the verifiers and by the reference',
  async (_, poll, verdict, found) => {
    expect((await recounted(poll)).verdict).toBe(verdict);
    expect(referenceRecount(poll, key)).toContain(found);
  },
);

const { several } = vectors2;
const severalPromised = several.promises.map(({ code, optionId, further, promise }) => ({
  ...{ receipt: decodeReceipt(code)!, optionId, further, promise },
}));

test('A poll of several choices has the documented bytes, and is verified with its promises by both', async () => {
  const papers = several.poll.paper as Paper;
  expect(papers.choice).toBe('several 2 3');
  expect(toHex(paperBytes(papers))).toBe(several.paperBytes);
  const rows = several.poll.file.split('\n\n')[1]!.trimEnd().split('\n');
  const entries = rows.map((line) => {
    const [code, options] = line.split('\t');
    const vote = { receipt: decodeReceipt(code!)!, tag: tagOf(papers), options: options!.split(',').map(Number) };
    return toHex(voteEntry(2, vote));
  });
  expect(entries.toSorted()).toEqual(several.entries.toSorted());
  const result = await recounted(several.poll, severalPromised);
  expect(result).toMatchObject({ verdict: 'ok', promises: severalPromised.map(() => 'kept') });
  // A ballot has a vote for each of its options.
  const sum = (numbers: readonly number[]) => numbers.reduce((total, votes) => total + votes, 0);
  expect(sum(Object.values(result.tally!).flat())).toBe(rows.flatMap((line) => line.split('\t')[1]!.split(',')).length);
  expect(referenceRecount(several.poll, key, several.promises)).toBe('ok');
});

const severalFile = several.poll.file;
const ofSeveral = (pattern: RegExp, replacement: string) => {
  const changed = severalFile.replace(pattern, replacement);
  expect(changed).not.toBe(severalFile);
  return { ...several.poll, file: changed };
};
const counted = /\t0,1\t(\d)\tc\n/;

test.each([
  ['another set', ofSeveral(counted, '\t0,2\t$1\tc\n'), 'root-mismatch', 'checkpoint'],
  ['an option less', ofSeveral(/\t0,1,2\t/, '\t0,1\t'), 'root-mismatch', 'checkpoint'],
  ['a set that is too small', ofSeveral(counted, '\t0\t$1\tc\n'), 'bad-format', 'format'],
  ['a set in another order', ofSeveral(counted, '\t1,0\t$1\tc\n'), 'bad-format', 'format'],
  ['an option twice', ofSeveral(counted, '\t1,1\t$1\tc\n'), 'bad-format', 'format'],
  ['an option that is not on the paper', ofSeveral(counted, '\t0,3\t$1\tc\n'), 'bad-format', 'format'],
  ['an open list', ofSeveral(counted, '\t0,\t$1\tc\n'), 'bad-format', 'format'],
  [
    'another number of choices on its paper',
    { ...several.poll, paper: { ...several.poll.paper, choice: 'several 1 3' } },
    'wrong-paper',
    'paper',
  ],
  [
    'more choices at least than at most',
    { ...several.poll, paper: { ...several.poll.paper, choice: 'several 3 2' } },
    'bad-format',
    '',
  ],
] as const)('A poll of several choices with %s is refused by the verifiers and by the reference', async (...of) => {
  const [, poll, verdict, found] = of;
  expect((await recounted(poll)).verdict).toBe(verdict);
  expect(referenceRecount(poll, key)).toContain(found);
});

test('A promise about several options proves nothing about another set of them', async () => {
  const [one] = severalPromised;
  for (const further of [[], ['cocoa'], [...one!.further, 'cocoa']])
    expect(await checkPromise(several.poll.paper as Paper, { ...one!, further }, [key], verifySignature)).toBe(
      'bad-format',
    );
});

const { ranked } = vectors2;
const rankedPromised = ranked.promises.map(({ code, optionId, further, promise }) => ({
  ...{ receipt: decodeReceipt(code)!, optionId, further, promise },
}));

test('A ranked poll keeps the order of each ballot, and both count the same rounds from it', async () => {
  const papers = ranked.poll.paper as Paper;
  expect(papers.choice).toBe('ranked 1 3');
  expect(toHex(paperBytes(papers))).toBe(ranked.paperBytes);
  const result = await recounted(ranked.poll, rankedPromised);
  expect(result).toMatchObject({ verdict: 'ok', promises: rankedPromised.map(() => 'kept') });
  // A ballot has one vote: that of its first preference.
  const sum = (numbers: readonly number[]) => numbers.reduce((total, votes) => total + votes, 0);
  expect(sum(Object.values(result.tally!).flat())).toBe(ranked.entries.length);
  expect(
    result.runoff!.rounds.map((round) => [...round.votes.map((one) => one ?? '–'), round.exhausted].join(' ')),
  ).toEqual(ranked.rounds);
  expect(result.runoff!.winner).toBe(1);
  expect((await recounted(several.poll)).runoff).toBeNull();
  expect(referenceRecount(ranked.poll, key, ranked.promises)).toBe('ok');
  const [, swapped] = rankedPromised;
  const other = { ...swapped!, optionId: swapped!.further[0]!, further: [swapped!.optionId, swapped!.further[1]!] };
  expect(await checkPromise(papers, other, [key], verifySignature)).toBe('bad-format');
});

test('Other rounds than those of the ballots are found by the verifiers', async () => {
  const { file, notes: checkpoints, siteEntries: entries, siteNote: note, siteOrigin, paper: papers } = ranked.poll;
  const { runoff } = await recounted(ranked.poll);
  const evidence = { file: utf8(file), paper: papers as Paper, checkpoints, site: { note, entries } };
  const expected = { poll: paper.poll, siteOrigin, keys: [key], leastBatch };
  for (const [said, verdict] of [
    [runoff!, 'ok'],
    [{ ...runoff!, winner: 0 }, 'tally-mismatch'],
    [{ ...runoff!, rounds: runoff!.rounds.slice(1) }, 'tally-mismatch'],
  ] as const)
    expect((await recount(evidence, { ...expected, runoff: said }, verifySignature)).verdict).toBe(verdict);
});

const ofRanked = (pattern: RegExp, replacement: string) => {
  const changed = ranked.poll.file.replace(pattern, replacement);
  expect(changed).not.toBe(ranked.poll.file);
  return { ...ranked.poll, file: changed };
};

test.each([
  ['preferences in another order', ofRanked(/\t2,1,0\t(\d)\tc\n/, '\t1,2,0\t$1\tc\n'), 'root-mismatch', 'checkpoint'],
  ['a preference less', ofRanked(/\t2,1,0\t(\d)\tc\n/, '\t2,1\t$1\tc\n'), 'root-mismatch', 'checkpoint'],
  ['an option twice', ofRanked(/\t2,1,0\t(\d)\tc\n/, '\t2,1,2\t$1\tc\n'), 'bad-format', 'format'],
  ['an option that is not on the paper', ofRanked(/\t2,1,0\t/, '\t2,1,3\t'), 'bad-format', 'format'],
  [
    'a paper that says that they count alike',
    { ...ranked.poll, paper: { ...ranked.poll.paper, choice: 'several 1 3' } },
    'wrong-paper',
    'paper',
  ],
] as const)('A ranked poll with %s is refused by the verifiers and by the reference', async (...of) => {
  const [, poll, verdict, found] = of;
  expect((await recounted(poll)).verdict).toBe(verdict);
  expect(referenceRecount(poll, key)).toContain(found);
});

test('The reference and the verifiers read each other’s codes', () => {
  for (const { receipt, code, part, nonce } of vectors2.receipts) {
    expect(referenceDecoded(groupCode(code))!.toString('hex')).toBe(receipt);
    expect(referenceReceipt(Buffer.from(part, 'hex'), Buffer.from(nonce, 'hex')).toString('hex')).toBe(receipt);
  }
});
