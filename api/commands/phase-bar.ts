import { SingleBar } from 'cli-progress';

/**
 * A bar on the standard error for work in phases, where that is a terminal and the work takes longer than `patience`
 * milliseconds: what is over by then needs none.
 */
export function phaseBar<Phase extends string>(
  texts: { readonly bar: string; readonly phases: Readonly<Record<Phase, string>> },
  patience = 1_000,
) {
  const started = performance.now();
  const width = Math.max(...Object.values<string>(texts.phases).map(({ length }) => length));
  let shown: Phase | undefined;
  let bar: SingleBar | undefined;
  const end = () => {
    bar?.stop();
    bar = undefined;
  };
  return {
    end,
    show: (phase: Phase, done: number, of: number) => {
      if (!process.stderr.isTTY || performance.now() - started < patience) return;
      if (phase !== shown) {
        end();
        shown = phase;
        bar = new SingleBar({ format: texts.bar, hideCursor: true, stream: process.stderr });
        bar.start(Math.max(of, 1), 0, { text: texts.phases[phase].padEnd(width) });
      }
      bar?.setTotal(Math.max(of, 1));
      bar?.update(done);
    },
  };
}
