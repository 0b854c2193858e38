import { afterEach, expect, test } from 'vitest';
import type { StatedPoll } from './poll-row.ts';
import { importBatchRows, PollQueue } from './poll-queue.ts';

let queue: PollQueue | undefined;
afterEach(() => queue?.close());

const poll = (line: number): StatedPoll => ({
  line,
  id: `poll-${line}`,
  question: `Ist Ärger №${line}\u2028 ein „Grund“? 🌧️`,
  description: 'x'.repeat(200),
  options: [],
  isActive: false,
  createdAt: 0,
  startsAt: 0,
  endsAt: 1,
  closedAt: 1,
  updatedAt: null,
});
const polls = Array.from({ length: importBatchRows * 2 + 7 }, (_, index) => poll(index));

async function filled(): Promise<PollQueue> {
  queue = await PollQueue.create();
  for (const one of polls) await queue.add(one);
  return queue;
}

test('[D9.6] added polls are read in order, in batches that fit a transaction', async () => {
  const batches = await Array.fromAsync((await filled()).batches());
  expect(batches.map(({ length }) => length)).toEqual([importBatchRows, importBatchRows, 7]);
  expect(batches.flat()).toEqual(polls);
});

test('after a reader stops early, the next one still reads everything', async () => {
  const full = await filled();
  const giveUp = async () => {
    for await (const batch of full.batches()) throw new Error(`lost a race at poll ${batch[0]?.id}`);
  };
  await expect(giveUp()).rejects.toThrow('lost a race at poll poll-0');
  expect((await Array.fromAsync(full.batches())).flat()).toEqual(polls);
});
