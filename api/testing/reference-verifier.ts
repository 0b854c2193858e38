import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';

/*
 * Format 2 of the vote log a second time, written from the handbook (verification.md) and without the modules that the site
 * and its verifiers use: what one of them writes, the other has to read.
 */

const sha = (...parts: readonly Uint8Array[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const bytes = (text: string): Buffer => Buffer.from(text);
const u16 = (value: number): Buffer => Buffer.of(value >> 8, value & 255);
const u32 = (value: number): Buffer => Buffer.concat([u16(value >>> 16), u16(value & 0xffff)]);
const field = (text: string): Buffer => Buffer.concat([u32(Buffer.byteLength(text)), bytes(text)]);
const leafOf = (data: Uint8Array): Buffer => sha(Buffer.of(0), data);

export interface ReferencePaper {
  readonly origin: string;
  readonly poll: string;
  readonly question: string;
  readonly choice: string;
  readonly options: readonly { readonly id: string; readonly label: string }[];
}

export const referencePaper = (paper: ReferencePaper): Buffer =>
  Buffer.concat([
    ...['weathervane/paper/v2', paper.origin, paper.poll, paper.question, paper.choice].map(field),
    u32(paper.options.length),
    ...paper.options.flatMap(({ id, label }) => [field(id), field(label)]),
  ]);

export const referenceReceipt = (part: Uint8Array, nonce: Uint8Array): Buffer =>
  sha(bytes('weathervane/receipt/v2'), Buffer.of(0), part, nonce).subarray(0, 16);

export const referenceEntry = (receipt: Uint8Array, tag: Uint8Array, options: readonly number[]): Buffer =>
  Buffer.concat([Buffer.of(2), receipt, tag, u16(options.length), ...options.map(u16)]);

/** The root of a tree, as RFC 9162 defines it. */
export function referenceRoot(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha();
  if (leaves.length === 1) return leaves[0]!;
  const half = 2 ** Math.floor(Math.log2(leaves.length - 1));
  return sha(Buffer.of(1), referenceRoot(leaves.slice(0, half)), referenceRoot(leaves.slice(half)));
}

/** The hashes from a leaf to the root, as RFC 9162 defines them. */
function pathTo(index: number, leaves: readonly Buffer[]): Buffer[] {
  if (leaves.length === 1) return [];
  const half = 2 ** Math.floor(Math.log2(leaves.length - 1));
  const [left, right] = [leaves.slice(0, half), leaves.slice(half)];
  return index < half
    ? [...pathTo(index, left), referenceRoot(right)]
    : [...pathTo(index - half, right), referenceRoot(left)];
}

/** The root that a path leads to from a leaf; null if the path has another length. */
function rootFrom(leaf: Buffer, index: number, size: number, path: readonly Buffer[]): Buffer | null {
  if (size === 1) return path.length === 0 ? leaf : null;
  const last = path.at(-1);
  if (last === undefined) return null;
  const half = 2 ** Math.floor(Math.log2(size - 1));
  const isLeft = index < half;
  const below = isLeft
    ? rootFrom(leaf, index, half, path.slice(0, -1))
    : rootFrom(leaf, index - half, size - half, path.slice(0, -1));
  return below && (isLeft ? sha(Buffer.of(1), below, last) : sha(Buffer.of(1), last, below));
}

const keyId = (name: string, key: Uint8Array) => sha(bytes(`${name}\n`), Buffer.of(1), key).subarray(0, 4);
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const spki = Buffer.from('302a300506032b6570032100', 'hex');
const keyOf = (seed: Buffer) => createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' });

function signed(text: string, name: string, seed: Buffer): string {
  const key = keyOf(seed);
  const own = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  const line = Buffer.concat([keyId(name, own), sign(null, bytes(text), key)]).toString('base64');
  return `${text}\n— ${name} ${line}\n`;
}

/** The text of a note if this key has signed it under this name. */
function opened(note: string, name: string, key: Uint8Array): string | null {
  const end = note.indexOf('\n\n') + 1;
  const text = note.slice(0, end);
  const publicKey = createPublicKey({ key: Buffer.concat([spki, key]), format: 'der', type: 'spki' });
  const isSigned = note
    .slice(end + 1)
    .split('\n')
    .some((line) => {
      const [dash, signer, encoded = ''] = line.split(' ');
      const signature = Buffer.from(encoded, 'base64');
      if (dash !== '—' || signer !== name || !signature.subarray(0, 4).equals(keyId(name, key))) return false;
      return verify(null, bytes(text), publicKey, signature.subarray(4));
    });
  return isSigned ? text : null;
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const checkBits = (receipt: Uint8Array) =>
  sha(bytes('weathervane/receipt-check/v1'), Buffer.of(0), receipt).readUInt16BE() >> 4;

export function referenceCode(receipt: Buffer): string {
  let number = (BigInt(`0x${receipt.toString('hex')}`) << 12n) | BigInt(checkBits(receipt));
  let code = '';
  for (; code.length < 28; number >>= 5n) code = alphabet[Number(number & 31n)]! + code;
  return code;
}

/** The receipt of a code of 28 characters, with hyphens or without; null if a character is wrong. */
export function referenceDecoded(code: string): Buffer | null {
  const characters = code
    .replaceAll('-', '')
    .split('')
    .map((character) => alphabet.indexOf(character));
  if (characters.length !== 28 || characters.includes(-1)) return null;
  const number = characters.reduce((sum, value) => (sum << 5n) | BigInt(value), 0n);
  const receipt = Buffer.from((number >> 12n).toString(16).padStart(32, '0'), 'hex');
  return checkBits(receipt) === Number(number & 0xfffn) ? receipt : null;
}

export interface ReferencePromise {
  readonly nonce: string;
  readonly part: string;
  readonly result: number;
  readonly index: number;
  readonly proof: readonly string[];
  readonly note: string;
}

const promiser = (origin: string) => `${origin.slice(0, origin.indexOf('/poll/'))}/promises`;
const promised = (leaf: Buffer, nonce: Buffer, result: number) => sha(Buffer.of(0, 3), nonce, leaf, u32(result));
const words = 'within 3600 seconds after the closing';

/** Promises for votes on one poll that were committed together. */
export function referencePromises(
  paper: ReferencePaper,
  votes: readonly {
    readonly part: Buffer;
    readonly nonce: Buffer;
    readonly options: readonly number[];
    readonly result: number;
  }[],
  seed: Buffer,
): ReferencePromise[] {
  const tag = sha(referencePaper(paper));
  const leaves = votes.map(({ part, nonce, options, result }) =>
    promised(leafOf(referenceEntry(referenceReceipt(part, nonce), tag, options)), nonce, result),
  );
  const name = promiser(paper.origin);
  const root = referenceRoot(leaves).toString('base64');
  const note = signed(`weathervane/promise/v1\n${name}\n${votes.length}\n${root}\n${words}\n`, name, seed);
  return votes.map(({ part, nonce, result }, index) => ({
    ...{ nonce: nonce.toString('hex'), part: part.toString('hex'), result, index },
    proof: pathTo(index, leaves).map((hash) => hash.toString('base64')),
    note,
  }));
}

const isRanked = (paper: ReferencePaper) => paper.choice.startsWith('ranked ');

/** The places of a vote’s options on the paper, ascending unless they are ranked; -1 for others. */
const placesOf = (
  paper: ReferencePaper,
  { optionId, further = [] }: { readonly optionId: string; readonly further?: readonly string[] },
): number[] =>
  [optionId, ...further]
    .map((chosen) => paper.options.findIndex(({ id }) => id === chosen))
    .sort((a, b) => (isRanked(paper) ? 0 : a - b));

/** The options that have a vote: of ranked ones, the first. */
const voted = <T>(paper: ReferencePaper, list: readonly T[]): readonly T[] =>
  isRanked(paper) ? list.slice(0, 1) : list;

/** The rounds of a ranked poll from its file: votes by option, – for those that are gone, then the exhausted ones. */
export function referenceRounds({ paper, file }: Pick<ReferencePoll, 'paper' | 'file'>): string[] {
  const ballots = [...file.matchAll(/^\S+\t([\d,]+)\t\d+\tc$/gm)].map(([, list]) => list!.split(',').map(Number));
  const gone: number[] = [];
  const rounds: string[] = [];
  for (;;) {
    const first = ballots.map((ballot) => ballot.find((option) => !gone.includes(option)) ?? -1);
    const votes = paper.options.map((_, option) => first.filter((one) => one === option).length);
    const exhausted = first.filter((option) => option === -1).length;
    rounds.push([...votes.map((count, option) => (gone.includes(option) ? '–' : count)), exhausted].join(' '));
    if (Math.max(...votes) * 2 > ballots.length - exhausted) return rounds;
    const left = [...votes.keys()].filter((option) => !gone.includes(option));
    // The vectors have no ties.
    gone.push(left.sort((a, b) => votes[a]! - votes[b]!)[0]!);
  }
}

/** Whether a promise is about the vote with this receipt, and signed by this key. */
export function referenceHolds(
  paper: ReferencePaper,
  {
    code,
    promise,
    ...vote
  }: {
    readonly code: string;
    readonly optionId: string;
    readonly further?: readonly string[];
    readonly promise: ReferencePromise;
  },
  key: Uint8Array,
): boolean {
  const receipt = referenceDecoded(code);
  const options = placesOf(paper, vote);
  const nonce = Buffer.from(promise.nonce, 'hex');
  const name = promiser(paper.origin);
  const text = opened(promise.note, name, key);
  if (receipt === null || options.includes(-1) || text === null) return false;
  if (!referenceReceipt(Buffer.from(promise.part, 'hex'), nonce).equals(receipt)) return false;
  const [first, origin, size, root, deadline, ...rest] = text.split('\n');
  if (first !== 'weathervane/promise/v1' || origin !== name || deadline !== words || rest.join('') !== '') return false;
  const leaf = promised(leafOf(referenceEntry(receipt, sha(referencePaper(paper)), options)), nonce, promise.result);
  const path = promise.proof.map((hash) => Buffer.from(hash, 'base64'));
  return rootFrom(leaf, promise.index, Number(size), path)?.toString('base64') === root;
}

export interface ReferencePoll {
  readonly paper: ReferencePaper;
  readonly file: string;
  readonly notes: readonly string[];
  readonly siteEntries: readonly string[];
  readonly siteNote: string;
  readonly siteOrigin: string;
}

/** Recounts a poll: what is wrong, or “ok”; and “broken” for a promised vote that it lacks. */
export function referenceRecount(
  poll: ReferencePoll,
  key: Uint8Array,
  votes: readonly Parameters<typeof referenceHolds>[1][] = [],
): string {
  const { paper, file, notes, siteEntries, siteNote, siteOrigin } = poll;
  const site = opened(siteNote, siteOrigin, key)?.split('\n');
  if (!site) return 'signature of the site-wide log';
  const siteRoot = referenceRoot(siteEntries.map((entry) => leafOf(bytes(entry)))).toString('base64');
  if (site[0] !== siteOrigin || site[1] !== String(siteEntries.length) || site[2] !== siteRoot) return 'site-wide log';
  const cut = file.indexOf('\n\n');
  const header = file.slice(0, cut).split('\n');
  const rows = file
    .slice(cut + 2)
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t'));
  const valueOf = (name: string) => header.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
  const tag = sha(referencePaper(paper));
  const [, min = 1, max = 1] = /^(?:several|ranked) (\d+) (\d+)$/.exec(paper.choice)?.map(Number) ?? [];
  if (header[0] !== 'weathervane ballots 2' || (paper.choice !== 'one' && max < 2)) return 'format';
  if (valueOf('origin') !== paper.origin || valueOf('paper') !== tag.toString('base64')) return 'paper';
  const batches: Buffer[][] = notes.map(() => []);
  const all = new Set<string>();
  for (const [place, [code = '', list = '', batch = '', status = '']] of rows.entries()) {
    const receipt = referenceDecoded(code);
    const options = list.split(',').map(Number);
    const isList = options.every(
      (option, at) =>
        paper.options[option] !== undefined &&
        (isRanked(paper) ? options.indexOf(option) === at : at === 0 || option > options[at - 1]!),
    );
    if (!receipt || !isList || options.join() !== list || options.length < min || options.length > max) return 'format';
    if (!/^(?:c|[sh]\d+)$/.test(status) || !batches[Number(batch) - 1]) return 'format';
    if (place > 0 && code <= rows[place - 1]![0]!) return 'order';
    const leaf = leafOf(referenceEntry(receipt, tag, options));
    all.add(leaf.toString('hex'));
    batches[Number(batch) - 1]!.push(leaf);
  }
  const tree: Buffer[] = [];
  for (const [place, note] of notes.entries()) {
    tree.push(...batches[place]!.sort((a, b) => a.compare(b)));
    const root = referenceRoot(tree).toString('base64');
    const head = `${paper.origin}\n${tree.length}\n${root}\n`;
    if (opened(note, paper.origin, key) !== head) return `checkpoint ${place + 1}`;
    if (!siteEntries.some((entry) => entry.startsWith(`weathervane/checkpoint/v1\n${head}`)))
      return 'checkpoint not logged';
  }
  const results = siteEntries.filter((entry) => entry.startsWith(`weathervane/result/v2\n${paper.origin}\n`));
  const result = results.at(-1)?.split('\n') ?? [];
  if (result[5] !== sha(bytes(file)).toString('base64')) return 'file not logged';
  const totals = ['c', 's', 'h'].map((letter) =>
    paper.options.map(
      (_, option) =>
        rows.filter((row) => voted(paper, row[1]!.split(',')).includes(String(option)) && row[3]!.startsWith(letter))
          .length,
    ),
  );
  for (const [place, name] of ['counted', 'set-aside', 'held'].entries())
    if (result[6 + place] !== `${name} ${totals[place]!.join(' ')}`) return 'totals';
  for (const vote of votes) {
    const receipt = referenceDecoded(vote.code);
    if (!referenceHolds(paper, vote, key) || !receipt || Number(valueOf('version')) < vote.promise.result) continue;
    if (!all.has(leafOf(referenceEntry(receipt, tag, placesOf(paper, vote))).toString('hex'))) return 'broken';
  }
  return 'ok';
}

/** A poll as format 2 publishes it, made of votes with their parts of receipts. */
export function referencePoll(
  paper: ReferencePaper,
  votes: readonly {
    readonly receipt: Buffer;
    readonly options: readonly number[];
    readonly batch: number;
    readonly status: string;
  }[],
  {
    seed,
    siteOrigin,
    header,
    entries,
  }: {
    readonly seed: Buffer;
    readonly siteOrigin: string;
    /** Lines of the file after its paper and before its batches, and those after them. */
    readonly header: { readonly before: readonly string[]; readonly after: readonly string[] };
    /** Entries of the site-wide log; `checkpoint n` and `result` stand for these. */
    readonly entries: readonly string[];
  },
): ReferencePoll {
  const tag = sha(referencePaper(paper));
  const tree: Buffer[] = [];
  const heads = [...new Set(votes.map(({ batch }) => batch))].map((batch) => {
    const own = votes.filter((vote) => vote.batch === batch);
    tree.push(
      ...own.map(({ receipt, options }) => leafOf(referenceEntry(receipt, tag, options))).sort((a, b) => a.compare(b)),
    );
    return { size: tree.length, text: `${paper.origin}\n${tree.length}\n${referenceRoot(tree).toString('base64')}\n` };
  });
  const lines = votes.map(
    ({ receipt, options, batch, status }) => `${referenceCode(receipt)}\t${options.join()}\t${batch}\t${status}\n`,
  );
  const file =
    [
      'weathervane ballots 2',
      `origin ${paper.origin}`,
      'version 1',
      `paper ${tag.toString('base64')}`,
      ...header.before,
      ...heads.map(({ size }, place) => `batch ${place + 1} ${size}`),
      ...header.after,
      `ballots ${votes.length}\n\n`,
    ].join('\n') + lines.sort().join('');
  const count = (letter: string) =>
    paper.options
      .map(
        (_, option) =>
          votes.filter((vote) => voted(paper, vote.options).includes(option) && vote.status.startsWith(letter)).length,
      )
      .join(' ');
  const [, size, root] = heads.at(-1)!.text.split('\n');
  const result = [
    ...['weathervane/result/v2', paper.origin, '1', size, root, sha(bytes(file)).toString('base64')],
    ...[`counted ${count('c')}`, `set-aside ${count('s')}`, `held ${count('h')}`, `recorded ${size}`],
  ].join('\n');
  const siteEntries = entries.map((entry) =>
    entry
      .replace(/^checkpoint (\d+)\n/, (_, number) => `weathervane/checkpoint/v1\n${heads[Number(number) - 1]!.text}`)
      .replace(/^result\n/, `${result}\n`)
      .replace('TAG', tag.toString('base64')),
  );
  const siteRoot = referenceRoot(siteEntries.map((entry) => leafOf(bytes(entry)))).toString('base64');
  return {
    ...{ paper, file, siteEntries, siteOrigin },
    notes: heads.map(({ text }) => signed(text, paper.origin, seed)),
    siteNote: signed(`${siteOrigin}\n${siteEntries.length}\n${siteRoot}\n`, siteOrigin, seed),
  };
}
