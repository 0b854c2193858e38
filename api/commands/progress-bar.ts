import { SingleBar } from 'cli-progress';
import type { JobProgress } from '#api/publishing/job.service.ts';
import { publishingTexts } from '#texts/publishing.ts';

/**
 * A progress bar on a terminal’s stderr for work in phases. It appears only after `delayMs`: shorter work needs none.
 */
export function phaseBar<Phase extends string>(
  texts: { readonly bar: string; readonly phases: Readonly<Record<Phase, string>> },
  delayMs = 1_000,
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
      if (!process.stderr.isTTY || performance.now() - started < delayMs) return;
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

/** Shows a build’s progress: a bar on a terminal, one line per step elsewhere. */
export interface ProgressScreen {
  show(progress: Pick<JobProgress, 'step' | 'done' | 'total'>): void;
  end(): void;
}

export function progressScreen(): ProgressScreen {
  let shown: JobProgress['step'];
  let bar: SingleBar | null = null;
  const end = () => {
    bar?.stop();
    bar = null;
    shown = undefined;
  };
  return {
    show({ step, done = 0, total = 1 }) {
      if (step === undefined) return;
      const text = publishingTexts.steps[step];
      if (step !== shown) {
        bar?.update(bar.getTotal());
        end();
        shown = step;
        if (process.stdout.isTTY) {
          bar = new SingleBar({ format: publishingTexts.bar, hideCursor: true, barsize: 24, forceRedraw: false });
          bar.start(Math.max(total, 1), done, { text: text.padEnd(publishingTexts.longestStep) });
        } else console.log(text);
      }
      bar?.setTotal(Math.max(total, 1));
      bar?.update(done);
    },
    end,
  };
}
