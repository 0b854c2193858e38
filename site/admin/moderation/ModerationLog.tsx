import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as limits from '#contract/limits.ts';
import type { ModerationEntry } from '#contract/moderation.ts';
import { queryClient } from '#site/client/query-client.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { queueTexts as texts } from '#texts/admin-moderation.ts';
import styles from '#site/admin/Admin.module.css';
import listStyles from '#site/admin/AdminLists.module.css';
import { adminKey, callAdmin } from '#site/admin/admin-session.ts';
import { Loaded, Pagination } from '#site/admin/AdminSection.tsx';

/** The audit log of moderation, read when it is opened. */
export function ModerationLog() {
  const [open, setOpen] = useState(false);
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.log}</summary>
      {open && <Entries />}
    </details>
  );
}

function Entries() {
  const [page, setPage] = useState(1);
  const query = useQuery(
    {
      queryKey: [...adminKey, 'moderationLog', page],
      queryFn: ({ signal }) => callAdmin('moderationLog', { query: { page }, signal }),
      placeholderData: keepPreviousData,
    },
    queryClient(),
  );
  return (
    <Loaded query={query}>
      {({ entries, total }) =>
        total === 0 ? (
          <p className="muted">{texts.logEmpty}</p>
        ) : (
          <>
            <ol className={styles.list} aria-label={texts.log}>
              {entries.map((entry) => (
                <Entry key={entry.id} {...entry} />
              ))}
            </ol>
            <Pagination
              label={texts.logPages}
              page={page}
              pages={Math.ceil(total / limits.moderationPageSize)}
              onPage={setPage}
            />
          </>
        )
      }
    </Loaded>
  );
}

function Entry({ action, kind, label, member, actor, reason, createdAt }: ModerationEntry) {
  return (
    <li className={listStyles.stacked}>
      <p>
        <b>{texts.actions[action]}</b>: {texts.kinds[kind].toLowerCase()} <bdi>{label}</bdi>{' '}
        {kind !== 'member' && <bdi>{member === null ? texts.formerMember : texts.by(member)}</bdi>}
      </p>
      <p dir="auto">{reason}</p>
      <p className="muted small">
        <RelativeTime moment={createdAt} />, {texts.actors[actor] ?? actor}
      </p>
    </li>
  );
}
