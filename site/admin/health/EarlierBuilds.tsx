import type { Publishing } from '#contract/publishing.ts';
import { formatMoment } from '#site/ui/format.ts';
import { buildTexts as texts } from '#texts/admin-publishing.ts';
import styles from '#site/admin/Admin.module.css';

/** The code build that is served, and those that the operator can go back to. */
export function EarlierBuilds({ served, earlier }: Pick<Publishing, 'served' | 'earlier'>) {
  if (served === null) return null;
  return (
    <>
      <h3>{texts.heading}</h3>
      <p className="muted">
        {texts.served} <code>{served}</code>. {earlier.length === 0 ? texts.none : texts.text}
      </p>
      {earlier.length > 0 && (
        <ul className={styles.list} aria-label={texts.list}>
          {earlier.map(({ id, servedUntil }) => (
            <li key={id} className={styles.publish}>
              <code>{texts.command(id)}</code>
              <p className="muted small figure">
                {texts.until} <time dateTime={servedUntil}>{formatMoment(servedUntil)}</time>
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
