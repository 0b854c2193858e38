import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ContentEntry, ContentVersion } from '#contract/content.ts';
import adminStyles from '#site/admin/Admin.module.css';
import { Loaded } from '#site/admin/AdminSection.tsx';
import { callAdmin, useAdminMutation } from '#site/admin/admin-session.ts';
import { RestoreButton } from '#site/admin/RestoreButton.tsx';
import { queryClient } from '#site/client/query-client.ts';
import { formatMoment } from '#site/ui/format.ts';
import { toast } from '#site/ui/toasts.ts';
import { contentTexts as texts } from '#texts/content-editor.ts';
import styles from './Content.module.css';
import { Diff } from './Diff.tsx';
import type { SavedDraft } from './use-saved-draft.ts';

/** The versions of a text, which can be compared with it and restored. */
export function History({ saved }: { readonly saved: SavedDraft }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.details} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.history}</summary>
      {isOpen && <Versions saved={saved} />}
    </details>
  );
}

function Versions({ saved }: { readonly saved: SavedDraft }) {
  const { entry, show, saveThen } = saved;
  const { folder, name, version: current } = entry;
  const query = useQuery(
    {
      queryKey: ['content-versions', folder, name, current],
      queryFn: ({ signal }) => callAdmin('contentVersions', { params: { folder, name }, signal }),
    },
    queryClient(),
  );
  const [compared, setCompared] = useState<number | null>(null);
  const { mutate, isPending } = useAdminMutation(
    async (from: number) => {
      const restored = await saveThen(({ name, version }) =>
        callAdmin('restoreContent', { params: { folder, name }, body: { version, from } }),
      );
      if (restored !== null) toast(texts.restored);
      return restored;
    },
    (restored) => restored && show(restored),
  );
  return (
    <Loaded query={query}>
      {(versions) => (
        <ul className={adminStyles.list}>
          {versions.map((one) => {
            const when = formatMoment(one.createdAt);
            const isCurrent = one.version === current;
            return (
              <li key={one.version} className={adminStyles.entry}>
                <p>{describe(one)}</p>
                {!isCurrent && (
                  <div className="row">
                    <button
                      type="button"
                      className="button button--small"
                      aria-label={texts.compareName(when)}
                      aria-expanded={compared === one.version}
                      onClick={() => setCompared(compared === one.version ? null : one.version)}
                    >
                      {texts.compare}
                    </button>
                    <RestoreButton at={one.createdAt} pending={isPending} onClick={() => mutate(one.version)} />
                  </div>
                )}
                {compared === one.version && <Compared entry={entry} version={one.version} />}
              </li>
            );
          })}
        </ul>
      )}
    </Loaded>
  );
}

function describe({ event, actor, createdAt, publishedAt }: ContentVersion): string {
  const made = texts.version(texts.events[event], actor, formatMoment(createdAt));
  return publishedAt === null ? made : `${made}; ${texts.publishedOn(formatMoment(publishedAt))}`;
}

/** What differs between an earlier version and the text. */
function Compared({ entry, version }: { readonly entry: ContentEntry; readonly version: number }) {
  const { folder, name, source } = entry;
  const query = useQuery(
    {
      queryKey: ['content-version', folder, name, version],
      queryFn: ({ signal }) =>
        callAdmin('contentVersion', { params: { folder, name, version: String(version) }, signal }),
    },
    queryClient(),
  );
  return (
    <div className={styles.compared}>
      <Loaded query={query}>{(earlier) => <Diff before={earlier.source} after={source} />}</Loaded>
    </div>
  );
}
