import type { Publishing } from '#api/publishing/publishing.contract.ts';
import { formatMoment } from '#site/ui/format.ts';
import { auditTexts as texts } from '#texts/admin-publishing.ts';
import styles from '#site/admin/Admin.module.css';

/** The newest round of the audit: how far it is, and which changes nobody had recorded. */
export function Audit({ audit }: Pick<Publishing, 'audit'>) {
  return (
    <>
      <h3>{texts.heading}</h3>
      {audit === null ? (
        <p className="muted">{texts.never}</p>
      ) : (
        <p className="muted">
          {audit.finishedAt === null
            ? texts.running(formatMoment(audit.startedAt), audit.pages)
            : texts.done(formatMoment(audit.finishedAt), audit.pages)}{' '}
          {audit.missed.length === 0 && texts.nothing}
        </p>
      )}
      {audit !== null && audit.missed.length > 0 && (
        <div className={`${styles.outcome} ${styles.outcomeFailed}`}>
          <p>{texts.missed(audit.missed.length)}</p>
          <p className="small">{texts.report}</p>
          <ul className={`${styles.bullets} ${styles.addresses} small`}>
            {audit.missed.map((address) => (
              <li key={address}>
                <a href={address}>{address}</a>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
