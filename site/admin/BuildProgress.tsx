import { useId } from 'react';
import * as limits from '#contract/limits.ts';
import { buildSteps } from '#contract/publishing.ts';
import type { Publishing, SiteBuild } from '#contract/publishing.ts';
import { formatMoment } from '#site/ui/format.ts';
import { Vane } from '#site/ui/Vane.tsx';
import { publishTexts as texts } from '#texts/admin.ts';
import styles from './Admin.module.css';

/** What is being built, how far it is, and why the last build failed. */
export function BuildProgress({ builds, releases }: Pick<Publishing, 'builds' | 'releases'>) {
  const running = builds.find(({ status }) => status === 'running');
  const queued = builds.find(({ status }) => status === 'queued');
  const ended = builds.find(({ status }) => status === 'failed' || status === 'succeeded');
  if (running) return <Running build={running} />;
  // What waits, waits for the operator.
  if (releases.some(({ pinned }) => pinned))
    return (
      <p className="notice" role="status">
        {texts.isPinned}
      </p>
    );
  if (queued)
    return (
      <p className={styles.building} role="status">
        <Vane busy />
        {isSoon(queued) ? texts.queued : texts.queuedUntil(formatMoment(queued.startsAt))}
      </p>
    );
  if (releases.some(({ current }, place) => current && place > 0))
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

/** Whether a build waits only for what is changed at the same time, not for a list that changes all day. */
const isSoon = ({ requestedAt, startsAt }: SiteBuild) =>
  Date.parse(startsAt) - Date.parse(requestedAt) <= limits.buildSoonMs;

function Running({ build }: { readonly build: SiteBuild }) {
  const id = useId();
  const counted = (build.total ?? 0) > 1;
  const at = buildSteps.findIndex((step) => step === build.step);
  return (
    <div className={styles.outcome}>
      <p className={styles.building} role="status">
        <Vane busy />
        {texts.running}
      </p>
      <p className="muted small">{texts.because(build.reason)}</p>
      <ol className={styles.steps}>
        {buildSteps.map((step, place) => (
          <li key={step} className={styles.progress} {...(place === at && { 'aria-current': 'step' })}>
            <span id={`${id}-${step}`}>{texts.steps[step]}</span>
            <progress
              aria-labelledby={`${id}-${step}`}
              max={1}
              // Without a value it is shown as busy: what cannot be counted has no share that is done.
              value={place < at ? 1 : place > at ? 0 : counted ? (build.done ?? 0) / (build.total ?? 1) : undefined}
            />
            <span className="figure small">
              {place === at && counted && texts.progress(build.done ?? 0, build.total ?? 0)}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
