import type { SiteBuild } from '#contract/publishing.ts';
import { formatMoment } from '#site/ui/format.ts';
import { publishTexts as texts } from '#texts/admin.ts';
import styles from './Admin.module.css';

/** The newest builds: who asked for them, their steps, and how they ended. */
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
              <time dateTime={build.requestedAt}>{formatMoment(build.requestedAt)}</time>. {texts.because(build.reason)}
            </p>
            {build.error !== null && <p className={styles.error}>{build.error}</p>}
            {build.log.length > 0 && (
              <ol className={`muted small ${styles.logSteps}`}>
                {build.log.map(({ step, at, total }, place) => (
                  <li key={place}>
                    <span className="figure">{at.slice(11, 19)}</span> {texts.steps[step]}
                    {total !== null && total > 1 && ` (${total.toLocaleString('en-US')})`}
                  </li>
                ))}
              </ol>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

function outcomeOf({ status, startedAt, finishedAt }: SiteBuild): string {
  if (status !== 'succeeded') return texts.outcomes[status];
  return texts.outcomes.succeeded((Date.parse(finishedAt ?? '') - Date.parse(startedAt ?? '')) / 1_000);
}
