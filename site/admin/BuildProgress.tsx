import { useId } from 'react';
import { buildSteps } from '#contract/publishing.ts';
import type { Publishing, SiteBuild } from '#contract/publishing.ts';
import { formatMoment } from '#site/ui/format.ts';
import { Vane } from '#site/ui/Vane.tsx';
import { publishTexts as texts } from '#texts/admin.ts';
import styles from './Admin.module.css';

/** The running publish with its progress, or the result of the last one. */
export function BuildProgress({ waiting, builds, releases }: Pick<Publishing, 'waiting' | 'builds' | 'releases'>) {
  const running = builds.find(({ status }) => status === 'running');
  const ended = builds.find(({ status }) => status === 'failed' || status === 'succeeded');
  if (running) return <Running build={running} />;
  // Changes wait until the operator unpins the release.
  if (releases.some(({ pinned }) => pinned))
    return (
      <p className="notice" role="status">
        {texts.isPinned}
      </p>
    );
  if (waiting > 0)
    return (
      <p className={styles.building} role="status">
        <Vane busy />
        {texts.queued}
      </p>
    );
  if (releases.some(({ current }, index) => current && index > 0))
    return (
      <p className="muted" role="status">
        {texts.older}
      </p>
    );
  if (ended?.status === 'failed')
    return (
      <div className={`${styles.outcome} ${styles.outcomeFailed}`} role="alert">
        <h3>{texts.failed}</h3>
        <p className={styles.error}>{ended.error}</p>
      </div>
    );
  return (
    <p className="muted" role="status">
      {ended ? texts.idle : texts.never}
    </p>
  );
}

function Running({ build }: { readonly build: SiteBuild }) {
  const id = useId();
  const counted = (build.total ?? 0) > 1;
  const currentStep = buildSteps.findIndex((step) => step === build.step);
  return (
    <div className={styles.outcome}>
      <p className={styles.building} role="status">
        <Vane busy />
        {texts.running}
      </p>
      <p className="muted small">{texts.because(build.reason)}</p>
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

/** The latest builds: who requested them, their steps, and their result. */
export function BuildLog({ builds }: { readonly builds: readonly SiteBuild[] }) {
  if (builds.length === 0) return null;
  return (
    <details className={styles.guide}>
      <summary>{texts.log}</summary>
      <ul className={styles.list}>
        {builds.map((build) => (
          <li key={build.id} className={styles.logEntry}>
            <b>{outcomeOf(build)}</b>
            <p className="muted small">
              <time dateTime={build.startedAt}>{formatMoment(build.startedAt)}</time>. {texts.because(build.reason)}
            </p>
            {build.error !== null && <p className={styles.error}>{build.error}</p>}
          </li>
        ))}
      </ul>
    </details>
  );
}

function outcomeOf({ status, startedAt, finishedAt }: SiteBuild): string {
  if (status !== 'succeeded') return texts.outcomes[status];
  return texts.outcomes.succeeded((Date.parse(finishedAt ?? '') - Date.parse(startedAt)) / 1_000);
}
