import type { ActivityStats } from '#contract/profile.ts';
import * as limits from '#contract/limits.ts';
import { formatCount } from '#site/ui/format.ts';
import { memberPageTexts } from '#texts/profile.ts';
import styles from './Figures.module.css';

const texts = memberPageTexts.figures;

/** The four figures of a member; places of their size while they are on their way. */
export function Figures({ stats }: { readonly stats: ActivityStats | undefined }) {
  const figures = [
    [texts.votes, stats?.votes],
    [texts.polls, stats?.polls],
    [texts.comments, stats?.comments],
    [texts.badges, stats?.badges, texts.badgesOf(formatCount(limits.badges))],
  ] as const;
  return (
    <dl className={`figures ${styles.figures}`} aria-label={texts.label}>
      {figures.map(([label, value, note]) => (
        <div key={label}>
          <dt className="figures__label">{label}</dt>
          <dd className={styles.value}>
            {value === undefined ? (
              <span className={`skeleton ${styles.place}`} />
            ) : (
              <>
                <span className="figures__value">{formatCount(value)}</span>
                {note !== undefined && <span className="figures__note">{note}</span>}
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
