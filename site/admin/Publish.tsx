import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as limits from '#contract/limits.ts';
import type { Publishing, SiteRelease } from '#contract/publishing.ts';
import { queryClient } from '#site/client/query-client.ts';
import { ConfirmDialog } from '#site/ui/Dialog.tsx';
import { formatMoment } from '#site/ui/format.ts';
import { Notice } from '#site/ui/Notice.tsx';
import { diskTexts, publishTexts as texts, serveAgainTexts } from '#texts/admin.ts';
import styles from './Admin.module.css';
import { adminKey, callAdmin, useAdminMutation, useDialogMutation } from './admin-session.ts';
import listStyles from './AdminLists.module.css';
import { AdminSection, Loaded } from './AdminSection.tsx';
import { BuildLog, BuildProgress } from './BuildProgress.tsx';

export const publishingKey = [...adminKey, 'publishing'] as const;

const isBuilding = ({ waiting, builds }: Publishing) =>
  waiting > 0 || builds.some(({ status }) => status === 'running');

/** The state of publishing; refetched every second while a build is queued or running. */
function usePublishing() {
  return useQuery(
    {
      queryKey: publishingKey,
      queryFn: ({ signal }) => callAdmin('publishing', { signal }),
      refetchInterval: ({ state }) =>
        state.data && isBuilding(state.data) ? limits.buildRefetchMs : limits.publishingRefetchMs,
    },
    queryClient(),
  );
}

const setPublishing = (publishing: Publishing) => queryClient().setQueryData(publishingKey, publishing);

/** A warning when the disk is nearly full. */
export function DiskSpace() {
  const disk = usePublishing().data?.disk;
  if (!disk || disk.level === 'ok') return null;
  const { level, freeBytes, wantedBytes } = disk;
  return (
    <Notice
      level={2}
      failed={level !== 'low'}
      title={diskTexts.titles[level]}
      text={`${diskTexts.room(freeBytes, wantedBytes)} ${diskTexts.meaning[level]}`}
    />
  );
}

/** Builds of the site and its releases. */
export function Publish() {
  const query = usePublishing();
  const rebuild = useAdminMutation(() => callAdmin('rebuildSite', { body: { force: false } }), setPublishing);
  const unpin = useAdminMutation(() => callAdmin('unpinRelease'), setPublishing);
  const pending = rebuild.isPending || unpin.isPending;
  const [serving, setServing] = useState<SiteRelease | null>(null);
  const isPinned = query.data?.releases.some(({ pinned }) => pinned) ?? false;
  return (
    <AdminSection anchor="publish" heading={texts.heading} text={texts.text}>
      <div className={styles.actions}>
        <button
          type="button"
          className="button button--primary"
          aria-disabled={pending}
          onClick={() => pending || (isPinned ? unpin : rebuild).mutate()}
        >
          {isPinned ? texts.unpin : texts.rebuild}
        </button>
      </div>
      <Loaded query={query}>
        {({ waiting, builds, releases }) => (
          <>
            <BuildProgress waiting={waiting} builds={builds} releases={releases} />
            <BuildLog builds={builds} />
            <h3>{texts.releases}</h3>
            {releases.length === 0 ? (
              <p className="muted">{texts.noReleases}</p>
            ) : (
              <Releases releases={releases} onServe={setServing} />
            )}
          </>
        )}
      </Loaded>
      {serving !== null && <ServeAgain release={serving} onClose={() => setServing(null)} />}
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

interface ServeAgainProps {
  readonly release: SiteRelease;
  readonly onClose: () => void;
}

/** Asks for confirmation before an older release is served again, with the option to pin it. */
function ServeAgain({ release: { id, createdAt }, onClose }: ServeAgainProps) {
  const [pin, setPin] = useState(false);
  const { mutate, pending, problem } = useDialogMutation(async () => {
    setPublishing(await callAdmin('useRelease', { params: { id }, query: { pin } }));
    return serveAgainTexts.done(pin);
  }, onClose);
  const { title, text, confirm, cancel } = serveAgainTexts;
  return (
    <ConfirmDialog
      {...{ title, confirm, cancel, pending, problem, onClose }}
      text={text(formatMoment(createdAt))}
      onConfirm={() => mutate()}
    >
      <ul className={listStyles.facts}>
        <li>{serveAgainTexts.removed}</li>
        <li>{pin ? serveAgainTexts.stays : serveAgainTexts.replaced}</li>
      </ul>
      <label className={styles.check}>
        <input type="checkbox" checked={pin} onChange={({ target }) => setPin(target.checked)} />
        {serveAgainTexts.pin}
      </label>
    </ConfirmDialog>
  );
}
