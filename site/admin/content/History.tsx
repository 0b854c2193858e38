import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ContentEntry, ContentVersion } from '#api/content/content.contract.ts';
import adminStyles from '#site/admin/Admin.module.css';
import { Loaded } from '#site/admin/AdminSection.tsx';
import { callAdmin } from '#site/admin/admin-session.ts';
import { ActionButton, Rows } from '#site/admin/AdminList.tsx';
import { queryClient } from '#site/client/query-client.ts';
import { formatMoment } from '#site/ui/format.ts';
import { versionTexts } from '#texts/admin.ts';
import { contentTexts as texts } from '#texts/content-editor.ts';
import styles from './Content.module.css';
import { Diff } from './Diff.tsx';
import type { SavedDraft } from './use-saved-draft.ts';

/** The versions of a text, which can be compared with it and restored. */
export function History({ saved }: { readonly saved: SavedDraft }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={adminStyles.guide} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
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
  return (
    <Loaded query={query}>
      {(versions) => (
        <Rows
          rows={versions}
          keyOf={(one) => one.version}
          row={(one) => {
            const when = formatMoment(one.createdAt);
            const isCompared = compared === one.version;
            return (
              <li className={adminStyles.entry}>
                <p>{describe(one)}</p>
                {one.version !== current && (
                  <div className="row">
                    <button
                      type="button"
                      className="button button--small"
                      aria-label={texts.compareName(when)}
                      aria-expanded={isCompared}
                      onClick={() => setCompared(isCompared ? null : one.version)}
                    >
                      {texts.compare}
                    </button>
                    <ActionButton
                      label={versionTexts.restore}
                      name={versionTexts.restoreName(when)}
                      act={async () => {
                        const restored = await saveThen(({ name, version }) =>
                          callAdmin('restoreContent', {
                            params: { folder, name },
                            body: { version, from: one.version },
                          }),
                        );
                        if (restored === null) return undefined;
                        show(restored);
                        return texts.restored;
                      }}
                    />
                  </div>
                )}
                {isCompared && <Compared entry={entry} version={one.version} />}
              </li>
            );
          }}
        />
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
