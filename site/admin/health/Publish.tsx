import * as limits from '#contract/limits.ts';
import type { Publishing } from '#api/publishing/publishing.contract.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Notice } from '#site/ui/Notice.tsx';
import { diskTexts } from '#texts/admin.ts';
import { pauseTexts, publishTexts as texts } from '#texts/admin-publishing.ts';
import styles from '#site/admin/Admin.module.css';
import { callAdmin } from '#site/admin/admin-session.ts';
import { ActionButton, adminQueryKey, useAdminQuery } from '#site/admin/AdminList.tsx';
import { AdminSection, Allowed, Loaded } from '#site/admin/AdminSection.tsx';
import { Audit } from './Audit.tsx';
import { BuildProgress } from './BuildProgress.tsx';
import { EarlierBuilds } from './EarlierBuilds.tsx';
import { PublishList } from './PublishList.tsx';

const isBuilding = ({ waiting, retryAt, builds }: Publishing) =>
  (waiting > 0 && retryAt === null) || builds.some(({ status }) => status === 'running');

/** The state of publishing; refetched every second while something waits or is published. */
const usePublishing = () =>
  useAdminQuery('publishing', {
    refetch: (data) => (data && isBuilding(data) ? limits.buildRefetchMs : limits.publishingRefetchMs),
  });

const setPublishing = (publishing: Publishing) => {
  queryClient().setQueryData(adminQueryKey('publishing'), publishing);
};

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
  const query = usePublishing();
  const isPaused = (query.data?.pausedSince ?? null) !== null;
  const { done, facts, ...pause } = pauseTexts;
  return (
    <AdminSection anchor="publish" heading={texts.heading} text={texts.text}>
      <Allowed to="editor">
        <div className={styles.actions}>
          <ActionButton
            className="button button--primary"
            label={isPaused ? texts.resume : texts.rebuild}
            act={async () => {
              setPublishing(
                await (isPaused ? callAdmin('resumePublishing') : callAdmin('rebuildSite', { body: { force: true } })),
              );
            }}
          />
          {!isPaused && (
            <ActionButton
              className="button"
              label={texts.pause}
              ask={{
                ...pause,
                children: (
                  <ul className={styles.bullets}>
                    {facts.map((fact) => (
                      <li key={fact}>{fact}</li>
                    ))}
                  </ul>
                ),
              }}
              act={async () => {
                setPublishing(await callAdmin('pausePublishing'));
                return done;
              }}
            />
          )}
        </div>
      </Allowed>
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
    </AdminSection>
  );
}
