import { useState } from 'react';
import type { Publishing } from '#api/publishing/publishing.contract.ts';
import { formatMoment } from '#site/ui/format.ts';
import { publishTexts as texts } from '#texts/admin-publishing.ts';
import styles from '#site/admin/Admin.module.css';
import { ListRow, Rows } from '#site/admin/AdminList.tsx';
import { publishEntries } from './publishes.ts';
import type { PublishEntry } from './publishes.ts';

/** What was published, newest first. */
export function PublishList({ builds }: Pick<Publishing, 'builds'>) {
  const entries = publishEntries(builds);
  return (
    <>
      <h3>{texts.listHeading}</h3>
      <Announcement newest={entries.find(({ error, isUnchanged }) => error === null && !isUnchanged)} />
      <Rows
        rows={entries}
        keyOf={({ id }) => id}
        empty={texts.none}
        label={texts.list}
        row={(entry) => <Entry {...entry} />}
      />
    </>
  );
}

/** Reads out a publish that appears while the page is open; of several at once, the newest. */
function Announcement({ newest }: { readonly newest: PublishEntry | undefined }) {
  const [first] = useState(newest?.id);
  const isNew = newest !== undefined && newest.id !== first;
  return (
    <p className="visually-hidden" role="status">
      {isNew && texts.announced(texts.listed(texts.about(newest.about, newest.reason)))}
    </p>
  );
}

function Entry({ at, about, reason, milliseconds, error, failures, isUnchanged }: PublishEntry) {
  const facts = [
    texts.took(milliseconds),
    ...(failures > 1 ? [texts.tries(failures)] : []),
    ...(isUnchanged ? [texts.outcomes.unchanged] : []),
  ];
  return (
    <ListRow actions={error !== null && <span className={`tag ${styles.failedTag}`}>{texts.outcomes.failed}</span>}>
      {texts.about(about, reason).map((sentence) => (
        <p key={sentence}>
          <b dir="auto">{sentence}</b>
        </p>
      ))}
      <p className="muted small figure">
        <time dateTime={at}>{formatMoment(at)}</time> · {facts.join(' · ')}
      </p>
      {error !== null && <p className={styles.error}>{error}</p>}
    </ListRow>
  );
}
