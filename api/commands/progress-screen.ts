import { SingleBar } from 'cli-progress';
import type { JobProgress } from '#api/publishing/jobs.queries.ts';
import { publishingTexts } from '#texts/publishing.ts';

/** Where a person sees how far a build is: a bar on a terminal, one line for each step elsewhere. */
export interface ProgressScreen {
  show(progress: Pick<JobProgress, 'step' | 'done' | 'total'>): void;
  end(): void;
}

/** Starts a screen on the standard output. */
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
