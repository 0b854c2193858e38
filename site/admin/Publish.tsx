import { useState } from 'react';
import type { Publishing, SiteRelease } from '#contract/publishing.ts';
import { queryClient } from '#site/client/query-client.ts';
import { formatMoment } from '#site/ui/format.ts';
import { publishTexts as texts } from '#texts/admin.ts';
import styles from './Admin.module.css';
import { callAdmin } from './admin-session.ts';
import { AdminSection } from './AdminSection.tsx';
import { BuildLog } from './BuildLog.tsx';
import { BuildProgress } from './BuildProgress.tsx';
import { Loaded } from './Loaded.tsx';
import { ServeAgain } from './ServeAgain.tsx';
import { useDeed } from './use-deed.ts';
import { publishingKey, usePublishing } from './use-publishing.ts';

const show = (publishing: Publishing) => queryClient().setQueryData(publishingKey, publishing);

/** Builds of the site, and the releases that they made. */
export function Publish() {
  const query = usePublishing();
  const { pending, run } = useDeed();
  const rebuild = () => run('rebuild', async () => show(await callAdmin('rebuildSite', { body: { force: false } })));
  const unpin = () => run('unpin', async () => show(await callAdmin('unpinRelease')));
  const [asking, setAsking] = useState<SiteRelease | null>(null);
  const isPinned = query.data?.releases.some(({ pinned }) => pinned) ?? false;
  return (
    <AdminSection anchor="publish" heading={texts.heading} text={texts.text}>
      <div className={styles.actions}>
        <button
          type="button"
          className="button button--primary"
          aria-disabled={pending !== null}
          onClick={() => void (isPinned ? unpin() : rebuild())}
        >
          {isPinned ? texts.unpin : texts.rebuild}
        </button>
      </div>
      <Loaded query={query}>
        {({ builds, releases }) => (
          <>
            <BuildProgress builds={builds} releases={releases} />
            <BuildLog builds={builds} />
            <h3>{texts.releases}</h3>
            {releases.length === 0 ? (
              <p className="muted">{texts.noReleases}</p>
            ) : (
              <Releases releases={releases} onServe={setAsking} />
            )}
          </>
        )}
      </Loaded>
      {asking !== null && <ServeAgain release={asking} onServed={show} onClose={() => setAsking(null)} />}
    </AdminSection>
  );
}

interface ReleasesProps {
  readonly releases: readonly SiteRelease[];
  readonly onServe: (release: SiteRelease) => void;
}

function Releases({ releases, onServe }: ReleasesProps) {
  return (
    <ul className={styles.list}>
      {releases.map((release) => (
        <li key={release.id} className={styles.entry}>
          <div>
            <b>
              <time dateTime={release.createdAt}>{formatMoment(release.createdAt)}</time>
            </b>
            <p className="muted small figure">{texts.contents(release.pages, release.bytes)}</p>
          </div>
          {release.current ? (
            <span className="tag tag--solid">{release.pinned ? texts.pinned : texts.current}</span>
          ) : (
            <button
              type="button"
              className="button button--small"
              aria-label={texts.useName(formatMoment(release.createdAt))}
              onClick={() => onServe(release)}
            >
              {texts.use}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
