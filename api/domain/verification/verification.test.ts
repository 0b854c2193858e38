import { createPrivateKey, createPublicKey, sign, verify as verifySignature } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256 } from '@noble/hashes/sha2.js';
import { ballotLine, ballotsHeader, parseBallots } from './ballots-file.ts';
import { fromBase64, fromHex, toBase64, toHex, utf8 } from './bytes.ts';
import vectors from './fixtures/vectors.json' with { type: 'json' };
import {
  AppendTree,
  consistencyProof,
  inclusionProof,
  leafHash,
  rootAt,
  rootOfLeaves,
  sortLeaves,
  subtreesOf,
  verifyConsistency,
  verifyInclusion,
} from './merkle.ts';
import {
  checkpointText,
  keyIdOf,
  openCheckpoint,
  parseVerifierKey,
  signatureLine,
  signedNote,
  verifierKey,
} from './note.ts';
import type { Verify } from './note.ts';
import { leafInput, paperBytes, tagOf, voteEntry } from './paper.ts';
import { decodeReceipt, encodeReceipt, groupCode } from './receipt.ts';
import { shortCode } from './short-code.ts';
import {
  checkpointEntry,
  decisionEntry,
  entryBundle,
  entryLeaf,
  hourOf,
  keyEntry,
  openEntry,
  orderEntries,
  parseEntryBundle,
  resultEntry,
} from './site-log.ts';
import { entriesPath, nodesFromTiles, tilePath, tilesAt, TileWriter } from './tiles.ts';
import type { Tile } from './tiles.ts';

const bytes = (hex: string) => fromHex(hex)!;
const publicKeyObject = (raw: Uint8Array) =>
  createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]),
    format: 'der',
    type: 'spki',
  });
const verify: Verify = (key, message, signature) => verifySignature(null, message, publicKeyObject(key), signature);
const seed = createPrivateKey({
  key: Buffer.from(`302e020100300506032b657004220420${vectors.keys.seed}`, 'hex'),
  format: 'der',
  type: 'pkcs8',
});
const signWithSeed = (message: Uint8Array) => new Uint8Array(sign(null, message, seed));
const publicKey = fromBase64(vectors.keys.publicKey)!;
const { poll } = vectors;

test('Base64 is accepted in one spelling only', () => {
  expect(fromBase64('AA==')).toEqual(Uint8Array.of(0));
  for (const text of ['AA', 'AB==', 'AA==\n', ' AA==', 'A-==']) expect(fromBase64(text), text).toBeNull();
});

test.each(vectors.merkle)('Root and proofs of a tree of $size leaves are those of RFC 9162', async (tree) => {
  const leaves = tree.leafData.map((data) => leafHash(bytes(data)));
  expect(leaves.map(toHex)).toEqual(tree.leafHashes);
  const root = rootOfLeaves(leaves);
  expect(toHex(root)).toBe(tree.root);
  const { read } = grown(leaves);
  expect(toHex(await rootAt(read, tree.size))).toBe(tree.root);
  for (const { index, proof } of tree.inclusion) {
    expect((await inclusionProof(read, index, tree.size)).map(toHex)).toEqual(proof);
    expect(verifyInclusion({ leaf: leaves[index]!, index, size: tree.size, root }, proof.map(bytes))).toBe(true);
  }
  for (const { from, fromRoot, proof } of tree.consistency) {
    expect((await consistencyProof(read, from, tree.size)).map(toHex)).toEqual(proof);
    const first = { size: from, root: bytes(fromRoot) };
    expect(verifyConsistency(first, { size: tree.size, root }, proof.map(bytes))).toBe(true);
  }
});

/** A tree of leaves with its tiles. */
function grown(leaves: readonly Uint8Array[]) {
  const writer = new TileWriter();
  const tree = new AppendTree({ onNode: writer.add });
  for (const leaf of leaves) tree.append(leaf);
  const tiles = new Map(writer.changes().map((tile) => [`${tile.level}/${tile.index}`, tile]));
  return { tree, tiles, read: nodesFromTiles((level, index) => tiles.get(`${level}/${index}`)!.bytes) };
}

const someLeaves = (count: number) => Array.from({ length: count }, (_, i) => leafHash(utf8(`leaf ${i}`)));

test('Proofs from every size up to 40 leaves are accepted, and refused with a changed, missing, or added hash', async () => {
  const leaves = someLeaves(40);
  const { read } = grown(leaves);
  const head = async (size: number) => ({ size, root: await rootAt(read, size) });
  const changed = (proof: readonly Uint8Array[]) => [
    proof.slice(1),
    [...proof, leaves[0]!],
    ...proof.map((_, i) => proof.map((hash, j) => (i === j ? sha256(hash) : hash))),
  ];
  for (let size = 1; size <= leaves.length; size++) {
    const second = await head(size);
    for (let from = 1; from <= size; from++) {
      const first = await head(from);
      const proof = await consistencyProof(read, from, size);
      expect(verifyConsistency(first, second, proof), `${from} to ${size}`).toBe(true);
      for (const wrong of changed(proof).filter((other) => other.length > 0 || proof.length > 0))
        expect(verifyConsistency(first, second, wrong), `${from} to ${size}`).toBe(false);
      const index = from - 1;
      const leaf = leaves[index]!;
      const path = await inclusionProof(read, index, size);
      expect(verifyInclusion({ ...second, leaf, index }, path), `${index} in ${size}`).toBe(true);
      for (const wrong of changed(path).filter((other) => other.length > 0 || path.length > 0))
        expect(verifyInclusion({ ...second, leaf, index }, wrong), `${index} in ${size}`).toBe(false);
    }
  }
});

test('Every tree begins with the empty one', () => {
  const empty = { size: 0, root: new AppendTree().root() };
  const three = { size: 3, root: rootOfLeaves(someLeaves(3)) };
  expect(verifyConsistency(empty, three, [])).toBe(true);
  expect(verifyConsistency({ ...empty, root: three.root }, three, [])).toBe(false);
  expect(verifyConsistency(three, empty, [])).toBe(false);
});

test('A tree that is continued from its tiles has the root of one that is built at once', async () => {
  const leaves = someLeaves(1_000);
  const { tree: whole, tiles: wholeTiles } = grown(leaves);
  for (const cut of [1, 255, 256, 257, 700]) {
    const { tiles, read } = grown(leaves.slice(0, cut));
    const incomplete = [...tiles.values()].filter(({ width }) => width < 256);
    const writer = new TileWriter(cut, incomplete);
    const tree = new AppendTree({ size: cut, subtrees: await subtreesOf(read, cut), onNode: writer.add });
    for (const leaf of leaves.slice(cut)) tree.append(leaf);
    expect(toHex(tree.root())).toBe(toHex(whole.root()));
    for (const tile of writer.changes()) tiles.set(`${tile.level}/${tile.index}`, tile);
    expect(new Map([...tiles].sort())).toEqual(new Map<string, Tile>([...wholeTiles].sort()));
    expect(writer.changes(), 'nothing has changed since').toEqual([]);
  }
  expect(() => new TileWriter(3)).toThrow(RangeError);
});

test('Tiles have the paths of tlog-tiles', () => {
  expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe('tile/0/x001/x234/067');
  expect(tilePath({ level: 1, index: 0, width: 8 })).toBe('tile/1/000.p/8');
  expect(entriesPath({ index: 1_000, width: 7 })).toBe('tile/entries/x001/000.p/7');
  expect(tilesAt(0, 513)).toEqual([
    { index: 0, width: 256 },
    { index: 1, width: 256 },
    { index: 2, width: 1 },
  ]);
  expect(tilesAt(1, 513)).toEqual([{ index: 0, width: 2 }]);
});

test('A receipt is shown as a code that reads back, in any case and with letters that look like digits', () => {
  for (const { receipt, code, shown } of vectors.receipts.derived) {
    expect(encodeReceipt(bytes(receipt))).toBe(code);
    expect(groupCode(code)).toBe(shown);
    expect(toHex(decodeReceipt(shown)!)).toBe(receipt);
  }
  for (const { typed, receipt } of vectors.receipts.typed) {
    const read = decodeReceipt(typed);
    expect(read && toHex(read), typed).toBe(receipt);
  }
  expect(shortCode('C56H-HBCY-4091-4C6G-TRGC-E606-WTNB')).toBe('C56H-HBCY');
});

test('A code with one character typed wrong is never taken for another receipt', () => {
  const { code } = vectors.receipts.derived[0]!;
  let accepted = 0;
  for (let at = 0; at < code.length; at++)
    for (const other of '0123456789ABCDEFGHJKMNPQRSTVWXYZ')
      if (other !== code[at] && decodeReceipt(code.slice(0, at) + other + code.slice(at + 1))) accepted++;
  expect(accepted).toBe(0);
});

test('Ballot paper, entries, leaves, and tree of a poll have the documented bytes', () => {
  expect(toHex(paperBytes(poll.paper))).toBe(poll.paperBytes);
  const tag = tagOf(poll.paper);
  expect(toHex(tag)).toBe(poll.tag);
  const batches = [1, 2].map((batch) => poll.ballots.filter((ballot) => ballot.batch === batch));
  for (const { receipt, option, entry, leaf } of poll.ballots) {
    expect(toHex(voteEntry(1, { receipt: bytes(receipt), tag, options: [option] }))).toBe(entry);
    expect(toHex(leafHash(bytes(entry)))).toBe(leaf);
  }
  const order = batches.flatMap((batch) => sortLeaves(batch.map(({ leaf }) => bytes(leaf))));
  expect(order.map(toHex)).toEqual(poll.treeOrder);
});

test('An entry of format 2 says how many options its ballot chooses, and one with one option fits into a block', () => {
  const vote = { receipt: new Uint8Array(16).fill(1), tag: new Uint8Array(32).fill(2) };
  const start = `02${'01'.repeat(16)}${'02'.repeat(32)}`;
  expect(toHex(voteEntry(2, { ...vote, options: [258] }))).toBe(`${start}00010102`);
  expect(toHex(voteEntry(2, { ...vote, options: [3, 0] }))).toBe(`${start}000200030000`);
  const input = leafInput(2, vote.tag);
  const filled = input(vote.receipt, 0, [258]);
  expect(toHex(filled)).toBe(`00${start}00010102`);
  // SHA-256 pads a block of 64 bytes with nine.
  expect(filled.length).toBeLessThanOrEqual(55);
  expect(toHex(input(vote.receipt, 0, [3, 258]))).toBe(`00${start}000200030102`);
  expect(toHex(input(vote.receipt, 0, [7]))).toBe(`00${start}00010007`);
});

test('Keys, notes, and checkpoints have the documented bytes', async () => {
  for (const { name, keyId, vkey } of vectors.keys.names) {
    expect(toHex(keyIdOf(name, publicKey))).toBe(keyId);
    expect(verifierKey(name, publicKey)).toBe(vkey);
    expect(parseVerifierKey(vkey)).toEqual({ name, publicKey });
    expect(parseVerifierKey(vkey.replace('weathervane', 'weathercock'))).toBeNull();
  }
  for (const note of poll.notes) {
    const checkpoint = await openCheckpoint(note, [publicKey], verify);
    if (typeof checkpoint === 'string') throw new Error(checkpoint);
    const text = checkpointText(checkpoint.origin, checkpoint);
    expect(signedNote(text, signatureLine(text, checkpoint.origin, publicKey, signWithSeed))).toBe(note);
  }
});

test('Signatures of unknown keys on a checkpoint are ignored, and one wrong signature of a known key refuses it', async () => {
  const [note] = poll.notes as [string];
  const witness = `— witness.example/w1 ${toBase64(new Uint8Array(68).fill(7))}\n`;
  expect(await openCheckpoint(note + witness, [publicKey], verify)).toMatchObject({ size: 12 });
  expect(await openCheckpoint(note, [new Uint8Array(32)], verify)).toBe('unknown-key');
  const broken = signatureLine('another text\n', poll.paper.origin, publicKey, signWithSeed);
  expect(await openCheckpoint(note + broken, [publicKey], verify)).toBe('bad-signature');
  expect(await openCheckpoint('', [publicKey], verify)).toBe('bad-format');
});

test('Entries of the site-wide log, its bundle, and its root have the documented bytes', () => {
  const { origin } = poll.paper;
  const hour = (at: number) => hourOf(Date.UTC(2026, 10, 22, at, 59, 59, 999));
  const head = (size: number) => ({ size, root: rootOfLeaves(poll.treeOrder.slice(0, size).map(bytes)) });
  const entries = [
    keyEntry(verifierKey(poll.siteOrigin, publicKey), hour(8)),
    openEntry(origin, bytes(poll.tag), 2, hour(9)),
    checkpointEntry(origin, head(12), hour(10)),
    ...[
      { number: 1, action: 'set-aside', votes: 2, reason: 'automated voting from one network' } as const,
      { number: 2, action: 'hold', votes: 1, reason: 'waiting for the operator' } as const,
    ].map((decision) => decisionEntry(origin, decision, hour(11))),
    checkpointEntry(origin, head(22), hour(12)),
    resultEntry(
      origin,
      {
        ...head(22),
        version: 1,
        sha256: fromBase64(poll.fileSha256)!,
        counted: [9, 10],
        setAside: [0, 2],
        held: [1, 0],
      },
      hour(12),
    ),
  ];
  expect(entries).toEqual(poll.siteEntries);
  expect(parseEntryBundle(entryBundle(entries))).toEqual(entries);
  expect(parseEntryBundle(entryBundle(entries).subarray(1))).toBeNull();
  const root = toBase64(rootOfLeaves(entries.map((entry) => entryLeaf(entry))));
  expect(poll.siteNote).toContain(`${poll.siteOrigin}\n7\n${root}\n`);
  expect(orderEntries(entries.toReversed()).map((entry) => entry.split('\n', 1)[0])).toEqual(
    ['key', 'open', 'checkpoint', 'checkpoint', 'decision', 'decision', 'result'].map(
      (kind) => `weathervane/${kind}/v${kind === 'result' ? 2 : 1}`,
    ),
  );
});

test('A ballots file that is written and read keeps every byte', () => {
  const file = utf8(poll.file);
  const ballots = parseBallots(file);
  const lines = poll.file.split('\n\n')[1]!.trimEnd().split('\n');
  expect(ballots.options.rows).toBe(22);
  const written = lines.map((_, row) => {
    const status = 'csh'[ballots.statuses[row]!]!;
    const decision = ballots.decisions[row]!;
    return ballotLine(
      encodeReceipt(ballots.receipts.subarray(16 * row, 16 * row + 16)),
      ballots.options.of(row),
      ballots.batches[row]!,
      status === 'c' ? { status } : { status: status as 's' | 'h', decision },
    );
  });
  expect(ballotsHeader(ballots.header) + written.join('')).toBe(poll.file);
});
