import { useId } from 'react';
import type { ReactNode } from 'react';
import { buildSteps } from '#api/publishing/publishing.contract.ts';
import type { Publishing, SiteBuild } from '#api/publishing/publishing.contract.ts';
import { formatMoment } from '#site/ui/format.ts';
import { Vane } from '#site/ui/Vane.tsx';
import { publishTexts as texts } from '#texts/admin-publishing.ts';
import styles from '#site/admin/Admin.module.css';

/** Whether everything is up to date, waits, is being published, or could not be. */
export function BuildProgress({
  waiting,
  retryAt,
  pausedSince,
  builds,
}: Pick<Publishing, 'waiting' | 'retryAt' | 'pausedSince' | 'builds'>) {
  const running = builds.find(({ status }) => status === 'running');
  const ended = builds.find(({ status }) => status !== 'running');
  // Other changes may have been published since.
  const failed = retryAt === null ? ended : builds.find(({ status }) => status === 'failed');
  // Publishing anything else takes milliseconds.
  if (running?.about.some(({ kind }) => kind === 'site'))
    return <Status said={<Busy text={texts.code} />} shown={<Running build={running} />} />;
  if (running)
    return <Status shown={<Busy text={texts.running(texts.listed(texts.about(running.about, running.reason)))} />} />;
  if (pausedSince !== null) {
    const text = `${texts.paused(formatMoment(pausedSince))} ${waiting > 0 ? texts.waiting(waiting) : ''}`;
    return <Status said={<p className="notice">{text}</p>} />;
  }
  if (failed?.status === 'failed')
    return (
      <Status
        shown={
          <div className={`${styles.outcome} ${styles.outcomeFailed}`} role="alert">
            <h3>{texts.failed}</h3>
            <p className={styles.error}>{failed.error}</p>
            <p className="small">{texts.failedNext(retryAt && formatMoment(retryAt))}</p>
          </div>
        }
      />
    );
  if (waiting > 0) return <Status shown={<Busy text={texts.queued} />} />;
  return <Status shown={<p className="muted">{ended ? texts.idle : texts.never}</p>} />;
}

interface StatusProps {
  /** What a screen reader says when it begins: in one region, because a region is missed that arrives with its text. */
  readonly said?: ReactNode;
  readonly shown?: ReactNode;
}

function Status({ said, shown }: StatusProps) {
  return (
    <>
      <div role="status">{said}</div>
      {shown}
    </>
  );
}

function Busy({ text }: { readonly text: string }) {
  return (
    <p className={styles.building}>
      <Vane busy />
      {text}
    </p>
  );
}

/** The progress of a code build and of rendering all pages. */
function Running({ build }: { readonly build: SiteBuild }) {
  const id = useId();
  const site = build.about.find(({ kind }) => kind === 'site');
  const counted = (build.total ?? 0) > 1;
  const currentStep = buildSteps.findIndex((step) => step === build.step);
  return (
    <div className={styles.outcome}>
      <p className="muted small">{texts.about([], site?.subjects[0]?.key ?? build.reason)}</p>
      <ol className={styles.steps}>
        {buildSteps.map((step, index) => (
          <li key={step} className={styles.progress} {...(index === currentStep && { 'aria-current': 'step' })}>
            <span id={`${id}-${step}`}>{texts.steps[step]}</span>
            <progress
              aria-labelledby={`${id}-${step}`}
              max={1}
              // Without a value the bar is indeterminate, for steps that can't be counted.
              value={
                index < currentStep
                  ? 1
                  : index > currentStep
                    ? 0
                    : counted
                      ? (build.done ?? 0) / (build.total ?? 1)
                      : undefined
              }
            />
            <span className="figure small">
              {index === currentStep && counted && texts.progress(build.done ?? 0, build.total ?? 0)}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
