import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { closingAtEnd } from './upload.routes.ts';

async function* chunks() {
  yield 'a';
  yield await Promise.resolve('b');
}

test.each(['nothing', 'everything'])('an uploaded file is closed when %s of its response was read', async (read) => {
  const close = vi.fn(() => Promise.resolve());
  const stream = closingAtEnd({ close }, chunks());
  const closed = once(stream, 'close');
  if (read === 'everything') await stream.toArray();
  else stream.destroy();
  await closed;
  expect(close).toHaveBeenCalledOnce();
});
