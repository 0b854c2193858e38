import { useState } from 'react';
import type { Publishing, SiteRelease } from '#contract/publishing.ts';
import { formatMoment } from '#site/ui/format.ts';
import { publishTexts as texts } from '#texts/admin-publishing.ts';
import styles from '#site/admin/Admin.module.css';
import { publishEntries } from './publishes.ts';
import type { PublishEntry } from './publishes.ts';

interface PublishListProps extends Pick<Publishing, 'builds' | 'releases'> {
  /** Null if the operator may not. */
  readonly onServe: ((release: SiteRelease) => void) | null;
}

/** What was published, newest first; kept releases can be served again. */
export function PublishList({ builds, releases, onServe }: PublishListProps) {
  const entries = publishEntries({ builds, releases });
  return (
    <>
      <h3>{texts.listHeading}</h3>
      <Announcement newest={entries.find(({ release }) => release !== null)} />
      {entries.length === 0 ? (
        <p className="muted">{texts.none}</p>
      ) : (
        <ul className={styles.list} aria-label={texts.list}>
          {entries.map((entry) => (
            <Entry key={entry.key} entry={entry} onServe={onServe} />
          ))}
        </ul>
      )}
    </>
  );
}

/** Reads out a publish that appears while the page is open; of several at once, the newest. */
function Announcement({ newest }: { readonly newest: PublishEntry | undefined }) {
  const [first] = useState(newest?.key);
  const isNew = newest !== undefined && newest.key !== first;
  return (
    <p className="visually-hidden" role="status">
      {isNew && texts.announced(texts.listed(texts.about(newest.about, newest.reason)))}
    </p>
  );
}

interface EntryProps extends Pick<PublishListProps, 'onServe'> {
  readonly entry: PublishEntry;
}

function Entry({ entry: { at, about, reason, milliseconds, error, failures, release }, onServe }: EntryProps) {
  const sentences = texts.about(about, reason);
  const facts = [
    texts.took(milliseconds),
    ...(failures > 1 ? [texts.tries(failures)] : []),
    ...(release === null ? [] : [texts.contents(release.pages, release.bytes)]),
    ...(release === null && error === null && about.length > 0 ? [texts.outcomes.unchanged] : []),
  ];
  return (
    <li className={styles.publish}>
      <div className={styles.entry}>
        <div>
          {sentences.map((sentence) => (
            <p key={sentence}>
              <b dir="auto">{sentence}</b>
            </p>
          ))}
          <p className="muted small figure">
            <time dateTime={at}>{formatMoment(at)}</time> · {facts.join(' · ')}
          </p>
        </div>
        {error !== null && <span className={`tag ${styles.failedTag}`}>{texts.outcomes.failed}</span>}
        {release !== null && <Serving release={release} what={texts.listed(sentences)} onServe={onServe} />}
      </div>
      {error !== null && <p className={styles.error}>{error}</p>}
      {release !== null && <Addresses release={release} />}
    </li>
  );
}

interface ServingProps extends Pick<PublishListProps, 'onServe'> {
  readonly release: SiteRelease;
  readonly what: string;
}

function Serving({ release, what, onServe }: ServingProps) {
  if (release.current) return <span className="tag tag--solid">{release.pinned ? texts.pinned : texts.current}</span>;
  if (onServe === null) return null;
  return (
    <button
      type="button"
      className="button button--small"
      aria-label={texts.useName(what, formatMoment(release.createdAt))}
      onClick={() => onServe(release)}
    >
      {texts.use}
    </button>
  );
}

/** The addresses that a release changed. */
function Addresses({ release: { changed, addresses } }: { readonly release: SiteRelease }) {
  // Null: all of them.
  if (changed === null || changed === 0) return null;
  return (
    <details className={styles.changes}>
      <summary>{texts.addresses(changed)}</summary>
      <ul className={styles.addresses}>
        {addresses.map(({ address, removed }) => (
          <li key={address}>
            {removed ? (
              <>
                <s>{address}</s> {texts.removed}
              </>
            ) : (
              <a href={address}>{address}</a>
            )}
          </li>
        ))}
        {changed > addresses.length && <li className="muted">{texts.more(changed - addresses.length)}</li>}
      </ul>
    </details>
  );
}
