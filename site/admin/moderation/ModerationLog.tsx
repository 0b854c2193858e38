import { useState } from 'react';
import * as limits from '#contract/limits.ts';
import type { ModerationEntry } from '#api/moderation/moderation.contract.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { queueTexts as texts } from '#texts/admin-moderation.ts';
import { AdminList, useAdminQuery } from '#site/admin/AdminList.tsx';
import styles from '#site/admin/Admin.module.css';

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
  const query = useAdminQuery('moderationLog', { query: { page } });
  return (
    <AdminList
      ordered
      query={query}
      rows={({ entries }) => entries}
      empty={texts.logEmpty}
      label={texts.log}
      row={(entry) => <Entry {...entry} />}
      paging={({ total }) => ({
        ...{ label: texts.logPages, page, onPage: setPage },
        pages: Math.ceil(total / limits.moderationPageSize),
      })}
    />
  );
}

function Entry({ action, kind, label, member, actor, reason, createdAt }: ModerationEntry) {
  return (
    <li className={styles.stacked}>
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
