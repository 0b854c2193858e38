import { expect, test } from 'vitest';
import { logKeyOf, verifySignature } from '#api/integrity/log/signing.ts';
import vectors from './fixtures/witness-vectors.json' with { type: 'json' };
import { checkpointText, checkSignatures, parseCheckpoint, parseVerifierKey, signedNote, textOf } from './note.ts';
import {
  addCheckpointBody,
  cosignatureBy,
  cosignatureLine,
  parseAddCheckpoint,
  parseWitnessKey,
  reviewGrowth,
  witnessKey,
} from './witness.ts';

const root = new Uint8Array(32).fill(7);
const { cosigned, body, otherName } = vectors;

test('the cosignature of a public witness on a published checkpoint is valid, with the time that it states', async () => {
  const witness = parseWitnessKey(cosigned.witnessKey)!;
  expect(witness.name).toBe('remora.n621.de');
  expect(witnessKey(witness.name, witness.publicKey)).toBe(cosigned.witnessKey);
  expect(await cosignatureBy(witness, cosigned.note, verifySignature)).toMatchObject({ seconds: cosigned.seconds });
  expect(await checkSignatures(cosigned.note, [parseVerifierKey(cosigned.logKey)!], verifySignature)).toBe('ok');
});

test('a cosignature fails for another checkpoint or another time, and other witnesses’ lines don’t count', async () => {
  const witness = parseWitnessKey(cosigned.witnessKey)!;
  const other = cosigned.note.replace('1432088532', '1432088533');
  expect(await cosignatureBy(witness, other, verifySignature)).toBe('bad-signature');
  const later = cosigned.note.replace('2net5wAAAABqEiEg', '2net5wAAAABqEiEh');
  expect(await cosignatureBy(witness, later, verifySignature)).toBe('bad-signature');
  const timeless = cosigned.note.replace('2net5wAAAABqEiEg', '2net5wAAAAAAAAAA');
  expect(await cosignatureBy(witness, timeless, verifySignature)).toBe('bad-signature');
  const stranger = { name: witness.name, publicKey: root };
  expect(await cosignatureBy(stranger, cosigned.note, verifySignature)).toBeNull();
});

test('what is signed as a cosignature is read back, and a log’s key is no witness’s key', async () => {
  const key = logKeyOf('44'.repeat(32));
  const named = { name: 'news.example/integrity/witness', publicKey: new Uint8Array(key.publicKey) };
  const text = checkpointText('polls.example/integrity/log', { size: 5, root });
  const line = cosignatureLine(text, named, key.sign, 1_790_000_000);
  const note = signedNote(text, line);
  expect(await cosignatureBy(named, note, verifySignature)).toEqual({ seconds: 1_790_000_000, line });
  const vkey = witnessKey(named.name, named.publicKey);
  expect([parseWitnessKey(vkey), parseVerifierKey(vkey)]).toEqual([named, null]);
  expect(parseWitnessKey(cosigned.logKey)).toBeNull();
  // The same key as a log’s has another id: its lines are no signatures of the checkpoint.
  expect(await checkSignatures(note, [named], verifySignature)).toBe('unknown-key');
});

test('a log’s key may have another name than the log', async () => {
  expect(await checkSignatures(otherName.note, [parseVerifierKey(otherName.key)!], verifySignature)).toBe('ok');
  expect(parseCheckpoint(otherName.note)).toMatchObject({ origin: 'go.sum database tree', size: 35_225_469 });
});

test('other logs may add lines to a checkpoint, and the log of a site may not', () => {
  const note = signedNote(`${checkpointText('log.example', { size: 5, root })}Timestamp: 17\n`, '— log.example AAAA\n');
  expect(parseCheckpoint(note)).toBeNull();
  expect(parseCheckpoint(note, { extended: true })).toMatchObject({ origin: 'log.example', size: 5 });
  expect(textOf(note)).toContain('Timestamp');
});

test('the example request of the specification is read and written', () => {
  const request = parseAddCheckpoint(body.text)!;
  expect(request).toMatchObject({ oldSize: body.oldSize });
  expect(request.proof).toHaveLength(body.hashes);
  expect(parseCheckpoint(request.note)).toMatchObject({ origin: body.origin, size: body.size });
  expect(addCheckpointBody(request)).toBe(body.text);
});

test.each([
  ['nothing', ''],
  ['no old size', body.text.replace('old ', '')],
  ['a leading zero', body.text.replace('old 2', 'old 02')],
  ['a negative size', body.text.replace('old 2', 'old -2')],
  ['a hash of another length', body.text.replace('PlRN', 'PlR')],
  ['a hash that is not base64', body.text.replace('PlRN', 'Pl*N')],
  ['no empty line', body.text.replace('\n\nexample', '\nexample')],
  ['no newline at the end', body.text.slice(0, -1)],
  ['no signature', body.text.slice(0, body.text.indexOf('— '))],
  ['a control character', body.text.replace('behind', 'be\0hind')],
  ['64 hashes', body.text.replace(/\n[^]*?\n\n/, `\n${'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n'.repeat(64)}\n`)],
])('a request with %s is malformed', (_, text) => {
  expect(parseAddCheckpoint(text)).toBeNull();
});

test('a witness accepts growth from what it knows only', () => {
  const empty = { size: 0, root: Buffer.from('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', 'base64') };
  const next = { size: 2, root };
  const review = (known: typeof next, oldSize: number, to = next, proof: Uint8Array[] = []) =>
    reviewGrowth(known, { oldSize, proof }, to);
  expect(review(empty, 0)).toBe('ok');
  expect(review(empty, 0, empty)).toBe('ok');
  expect(review(empty, 0, { size: 0, root })).toBe('bad-proof');
  expect(review(empty, 0, next, [root])).toBe('bad-proof');
  expect(review(empty, 3)).toBe('bad-request');
  expect(review(empty, 1)).toBe('stale');
  expect(review(next, 2)).toBe('ok');
  expect(review(next, 2, { size: 2, root: empty.root })).toBe('bad-proof');
  expect(review(next, 0)).toBe('stale');
  expect(review(next, 2, { size: 3, root })).toBe('bad-proof');
});
