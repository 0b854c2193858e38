import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as limits from '#contract/limits.ts';
import type { Publishing, SiteRelease } from '#contract/publishing.ts';
import { queryClient } from '#site/client/query-client.ts';
import { formatMoment } from '#site/ui/format.ts';
import { Notice } from '#site/ui/Notice.tsx';
import { diskTexts } from '#texts/admin.ts';
import { publishTexts as texts, serveAgainTexts } from '#texts/admin-publishing.ts';
import { ActionDialog } from '#site/admin/ActionDialog.tsx';
import styles from '#site/admin/Admin.module.css';
import { adminKey, callAdmin, useAdminMutation, useAllowed } from '#site/admin/admin-session.ts';
import listStyles from '#site/admin/AdminLists.module.css';
import { AdminSection, Loaded } from '#site/admin/AdminSection.tsx';
import { Audit } from './Audit.tsx';
import { BuildProgress } from './BuildProgress.tsx';
import { PublishList } from './PublishList.tsx';

export const publishingKey = [...adminKey, 'publishing'] as const;

const isBuilding = ({ waiting, retryAt, builds }: Publishing) =>
  (waiting > 0 && retryAt === null) || builds.some(({ status }) => status === 'running');

/** The state of publishing; refetched every second while something waits or is published. */
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

/** What was published, what can be served again, and what the audit found. */
export function Publish() {
  const mayPublish = useAllowed('editor');
  const query = usePublishing();
  const rebuild = useAdminMutation(() => callAdmin('rebuildSite', { body: { force: true } }), setPublishing);
  const unpin = useAdminMutation(() => callAdmin('unpinRelease'), setPublishing);
  const pending = rebuild.isPending || unpin.isPending;
  const [serving, setServing] = useState<SiteRelease | null>(null);
  const isPinned = query.data?.releases.some(({ pinned }) => pinned) ?? false;
  return (
    <AdminSection anchor="publish" heading={texts.heading} text={texts.text}>
      {mayPublish && (
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
      )}
      <Loaded query={query}>
        {({ waiting, retryAt, builds, releases, audit }) => (
          <>
            <BuildProgress waiting={waiting} retryAt={retryAt} builds={builds} releases={releases} />
            <PublishList builds={builds} releases={releases} onServe={mayPublish ? setServing : null} />
            <Audit audit={audit} />
          </>
        )}
      </Loaded>
      {serving !== null && <ServeAgain release={serving} onClose={() => setServing(null)} />}
    </AdminSection>
  );
}

interface ServeAgainProps {
  readonly release: SiteRelease;
  readonly onClose: () => void;
}

/** Asks for confirmation before an older release is served again, with the option to pin it. */
function ServeAgain({ release: { id, createdAt }, onClose }: ServeAgainProps) {
  const [pin, setPin] = useState(false);
  const action = async () => {
    setPublishing(await callAdmin('useRelease', { params: { id }, query: { pin } }));
    return serveAgainTexts.done(pin);
  };
  const { title, text, confirm, cancel } = serveAgainTexts;
  return (
    <ActionDialog {...{ title, confirm, cancel, action, onClose }} text={text(formatMoment(createdAt))}>
      <ul className={listStyles.facts}>
        <li>{serveAgainTexts.removed}</li>
        <li>{pin ? serveAgainTexts.stays : serveAgainTexts.replaced}</li>
      </ul>
      <label className={styles.check}>
        <input type="checkbox" checked={pin} onChange={({ target }) => setPin(target.checked)} />
        {serveAgainTexts.pin}
      </label>
    </ActionDialog>
  );
}
