import type { Publishing, SiteRelease } from '#contract/publishing.ts';
import { queryClient } from '#site/client/query-client.ts';
import { formatMoment } from '#site/ui/format.ts';
import { toast } from '#site/ui/toasts.ts';
import { publishTexts as texts } from '#texts/admin.ts';
import styles from './Admin.module.css';
import { callAdmin } from './admin-session.ts';
import { AdminSection } from './AdminSection.tsx';
import { BuildLog } from './BuildLog.tsx';
import { BuildProgress } from './BuildProgress.tsx';
import { Loaded } from './Loaded.tsx';
import { useDeed } from './use-deed.ts';
import { publishingKey, usePublishing } from './use-publishing.ts';

const show = (publishing: Publishing) => queryClient().setQueryData(publishingKey, publishing);

/** Builds of the site, and the releases that they made. */
export function Publish() {
  const query = usePublishing();
  const { pending, run } = useDeed();
  const rebuild = () => run('rebuild', async () => show(await callAdmin('rebuildSite', { body: { force: false } })));
  const serve = ({ id }: SiteRelease) =>
    run(id, async () => {
      show(await callAdmin('useRelease', { params: { id } }));
      toast(texts.used);
    });
  return (
    <AdminSection anchor="publish" heading={texts.heading} text={texts.text}>
      <div className={styles.actions}>
        <button
          type="button"
          className="button button--primary"
          aria-disabled={pending !== null}
          onClick={() => void rebuild()}
        >
          {texts.rebuild}
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
              <Releases releases={releases} pending={pending} onServe={(release) => void serve(release)} />
            )}
          </>
        )}
      </Loaded>
    </AdminSection>
  );
}

interface ReleasesProps {
  readonly releases: readonly SiteRelease[];
  readonly pending: string | null;
  readonly onServe: (release: SiteRelease) => void;
}

function Releases({ releases, pending, onServe }: ReleasesProps) {
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
            <span className="tag tag--solid">{texts.current}</span>
          ) : (
            <button
              type="button"
              className="button button--small"
              aria-disabled={pending !== null}
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
