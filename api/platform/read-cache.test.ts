import { expect, test } from 'vitest';
import { SingleFlight } from './read-cache.ts';

/** Reads that the test resolves, in the order in which they started. */
function pendingReads() {
  const started: { key: string; end: PromiseWithResolvers<string> }[] = [];
  const shared = new SingleFlight<string>();
  const get = (key: string) =>
    shared.get(key, () => {
      const end = Promise.withResolvers<string>();
      started.push({ key, end });
      return end.promise;
    });
  return { reads: { get }, started };
}

/** Lets every pending microtask run. */
const settle = () => new Promise((later) => setImmediate(later));

test('callers that arrive during a read share the next one, which starts after they asked', async () => {
  const { reads, started } = pendingReads();
  const first = reads.get('a');
  const waiting = Array.from({ length: 50 }, () => reads.get('a'));
  expect(started).toHaveLength(1);

  started[0]!.end.resolve('before');
  await expect(first).resolves.toBe('before');
  await settle();
  expect(started).toHaveLength(2);
  const late = reads.get('a');
  started[1]!.end.resolve('after');
  await expect(Promise.all(waiting)).resolves.toEqual(waiting.map(() => 'after'));

  await settle();
  started[2]!.end.resolve('later still');
  await expect(late).resolves.toBe('later still');
});

test('with no read in flight, the next one starts at once and nothing is cached', async () => {
  const { reads, started } = pendingReads();
  for (const answer of ['one', 'two', 'three']) {
    const asked = reads.get('a');
    started.at(-1)!.end.resolve(answer);
    await expect(asked).resolves.toBe(answer);
    await settle();
  }
  expect(started).toHaveLength(3);
});

test('reads of different keys do not wait for each other', async () => {
  const { reads, started } = pendingReads();
  void reads.get('a');
  const other = reads.get('b');
  expect(started.map(({ key }) => key)).toEqual(['a', 'b']);
  started[1]!.end.resolve('of b');
  await expect(other).resolves.toBe('of b');
});

test('a failed read rejects for those who shared it, and for no later caller', async () => {
  const { reads, started } = pendingReads();
  const first = reads.get('a');
  const [one, two] = [reads.get('a'), reads.get('a')];
  started[0]!.end.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await settle();
  started[1]!.end.reject(new Error('away still'));
  await expect(one).rejects.toThrow('away still');
  await expect(two).rejects.toThrow('away still');
  await settle();
  const next = reads.get('a');
  started[2]!.end.resolve('back');
  await expect(next).resolves.toBe('back');
});
