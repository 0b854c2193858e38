import { SingleBar } from 'cli-progress';
import { benchTexts } from '#texts/bench.ts';

/** A bar on the standard error while something is made, where that is a terminal. */
export async function withBar<T>(
  text: string,
  total: number,
  make: (show: (done: number) => void) => Promise<T>,
): Promise<T> {
  if (!process.stderr.isTTY) return make(() => undefined);
  const bar = new SingleBar({ format: benchTexts.bar, hideCursor: true, stream: process.stderr });
  bar.start(total, 0, { text });
  try {
    return await make((done) => bar.update(done));
  } finally {
    bar.stop();
  }
}
