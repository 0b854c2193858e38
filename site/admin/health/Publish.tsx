import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as limits from '#contract/limits.ts';
import type { Publishing } from '#contract/publishing.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Notice } from '#site/ui/Notice.tsx';
import { diskTexts } from '#texts/admin.ts';
import { pauseTexts, publishTexts as texts } from '#texts/admin-publishing.ts';
import { ActionDialog } from '#site/admin/ActionDialog.tsx';
import styles from '#site/admin/Admin.module.css';
import { adminKey, callAdmin, useAdminMutation, useAllowed } from '#site/admin/admin-session.ts';
import listStyles from '#site/admin/AdminLists.module.css';
import { AdminSection, Loaded } from '#site/admin/AdminSection.tsx';
import { Audit } from './Audit.tsx';
import { BuildProgress } from './BuildProgress.tsx';
import { EarlierBuilds } from './EarlierBuilds.tsx';
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

/** What is due, what was published, what the audit found, and the way back to earlier code. */
export function Publish() {
  const mayPublish = useAllowed('editor');
  const query = usePublishing();
  const rebuild = useAdminMutation(() => callAdmin('rebuildSite', { body: { force: true } }), setPublishing);
  const resume = useAdminMutation(() => callAdmin('resumePublishing'), setPublishing);
  const pending = rebuild.isPending || resume.isPending;
  const [isPausing, setPausing] = useState(false);
  const isPaused = (query.data?.pausedSince ?? null) !== null;
  return (
    <AdminSection anchor="publish" heading={texts.heading} text={texts.text}>
      {mayPublish && (
        <div className={styles.actions}>
          <button
            type="button"
            className="button button--primary"
            aria-disabled={pending}
            onClick={() => pending || (isPaused ? resume : rebuild).mutate()}
          >
            {isPaused ? texts.resume : texts.rebuild}
          </button>
          {!isPaused && (
            <button type="button" className="button" onClick={() => setPausing(true)}>
              {texts.pause}
            </button>
          )}
        </div>
      )}
      <Loaded query={query}>
        {({ audit, ...state }) => (
          <>
            <BuildProgress {...state} />
            <PublishList builds={state.builds} />
            <Audit audit={audit} />
            <EarlierBuilds {...state} />
          </>
        )}
      </Loaded>
      {isPausing && <Pause onClose={() => setPausing(false)} />}
    </AdminSection>
  );
}

/** Asks for confirmation before publishing is paused. */
function Pause({ onClose }: { readonly onClose: () => void }) {
  const action = async () => {
    setPublishing(await callAdmin('pausePublishing'));
    return pauseTexts.done;
  };
  const { title, text, confirm, cancel } = pauseTexts;
  return (
    <ActionDialog {...{ title, text, confirm, cancel, action, onClose }}>
      <ul className={listStyles.facts}>
        {pauseTexts.facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </ActionDialog>
  );
}
