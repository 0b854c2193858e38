import { useState } from 'react';
import type { ResponseOf } from '#api/endpoints.contract.ts';
import * as limits from '#contract/limits.ts';
import type { Reported } from '#api/moderation/moderation.contract.ts';
import { useAddress } from '#site/admin/use-address.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { choicesIn, SelectField } from '#site/ui/SelectField.tsx';
import { WrittenText } from '#site/ui/WrittenText.tsx';
import { queueTexts as texts } from '#texts/admin-moderation.ts';
import { reportCategoryTexts } from '#texts/reporting.ts';
import styles from '#site/admin/Admin.module.css';
import { Rows, useAdminQuery } from '#site/admin/AdminList.tsx';
import { AdminSection, Loaded, Pagination } from '#site/admin/AdminSection.tsx';
import { Appeals } from './Appeals.tsx';
import { DecisionForm } from '#site/admin/DecisionForm.tsx';
import { ModerationLog } from './ModerationLog.tsx';

const states = ['open', 'handled'] as const;
const lastPage = limits.reportsShown / limits.moderationPageSize;

/** Identifies an entry of the queue. */
const keyOf = ({ kind, id }: Pick<Reported, 'kind' | 'id'>) => `${kind} ${id}`;

/** What was reported, decisions about it, appeals, and the log of decisions. */
export function Reports() {
  const [address, setAddress] = useAddress();
  const view = {
    state: states.find((state) => state === address.get('state')) ?? 'open',
    page: Math.min(lastPage, Math.max(1, Number.parseInt(address.get('page') ?? '', 10) || 1)),
  };
  const query = useAdminQuery('reportQueue', { query: view });
  return (
    <AdminSection anchor="reports" heading={texts.heading} text={texts.text}>
      <SelectField
        label={texts.state}
        value={view.state}
        choices={choicesIn(texts.states)}
        onChange={(state) => setAddress({ state: state === 'open' ? null : state, page: null })}
      />
      <Loaded query={query}>
        {(queue) => (
          <>
            <Queue key={`${view.state} ${view.page}`} queue={queue} state={view.state} />
            <Pagination
              label={texts.pages}
              page={view.page}
              pages={Math.min(lastPage, Math.ceil(queue.total / limits.moderationPageSize))}
              onPage={(page) => setAddress({ page: page === 1 ? null : String(page) })}
            />
            <Appeals appeals={queue.appeals} />
          </>
        )}
      </Loaded>
      <ModerationLog />
    </AdminSection>
  );
}

interface QueueProps {
  readonly queue: ResponseOf<'reportQueue'>;
  readonly state: (typeof states)[number];
}

function Queue({ queue: { reported, total }, state }: QueueProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // Entries that were decided about meanwhile are gone.
  const selected = reported.filter((entry) => chosen.has(keyOf(entry)));
  if (total === 0) return <p className="muted">{state === 'open' ? texts.none : texts.noneHandled}</p>;
  const all = selected.length === reported.length;
  return (
    <>
      <p className="muted small" role="status">
        {texts.found(total, limits.reportsShown)}
      </p>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={all}
          onChange={() => setChosen(all ? new Set() : new Set(reported.map(keyOf)))}
        />
        {texts.selectAll}
      </label>
      <Rows
        rows={reported}
        keyOf={keyOf}
        label={texts.list}
        row={(entry) => (
          <li className={styles.reported}>
            <label className={styles.check}>
              <input
                type="checkbox"
                aria-label={texts.select(entry.kind, entry.title)}
                checked={chosen.has(keyOf(entry))}
                onChange={({ target }) => {
                  const next = new Set(chosen);
                  if (target.checked) next.add(keyOf(entry));
                  else next.delete(keyOf(entry));
                  setChosen(next);
                }}
              />
              {texts.kinds[entry.kind]}
            </label>
            <Entry {...entry} />
          </li>
        )}
      />
      <DecisionForm selected={selected} onDone={() => setChosen(new Set())} />
    </>
  );
}

function Entry({ kind, pollId, title, text, member, hidden, reports, reportedAt, reasons }: Reported) {
  const isMember = kind === 'member';
  return (
    <div className={styles.comment}>
      {kind === 'comment' && <WrittenText text={text} />}
      <p className={kind === 'comment' ? 'muted small' : styles.title}>
        {hidden && !isMember && <span className="tag">{texts.hidden}</span>}{' '}
        {member?.suspended === true && <span className="tag">{texts.suspended}</span>}{' '}
        {kind === 'comment' && `${texts.on} `}
        {pollId === null ? (
          <bdi>{title}</bdi>
        ) : (
          <a href={`/community-polls/${pollId}`}>
            <bdi>{title}</bdi>
          </a>
        )}
      </p>
      {kind === 'poll' && text !== '' && <WrittenText text={text} className="small" />}
      <p className="muted small">
        <bdi>{member === null ? texts.formerMember : isMember ? member.username : texts.by(member.username)}</bdi>,{' '}
        {texts.reported(reports)}, <RelativeTime moment={reportedAt} />
      </p>
      <ul className={`small ${styles.bullets}`}>
        {reasons.map(({ category, reason, anonymous, email }, index) => (
          <li key={index} dir="auto">
            {texts.reason(reportCategoryTexts[category], reason)}
            {anonymous && ` (${texts.anonymous})`}
            {email !== undefined && (
              <>
                {' '}
                <a href={`mailto:${email}`}>{email}</a>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
