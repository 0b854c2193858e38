import { useRef, useState } from 'react';
import * as limits from '#contract/limits.ts';
import type { ManagedPoll } from '#contract/managed-poll.ts';
import { categoryLabel } from '#domain/poll-results.ts';
import { CopyLink } from '#site/ui/CopyLink.tsx';
import { ConfirmDialog } from '#site/ui/Dialog.tsx';
import { formatMoment } from '#site/ui/format.ts';
import { pollListTexts as texts } from '#texts/admin-polls.ts';
import styles from './Admin.module.css';
import { callAdmin } from './admin-session.ts';
import { EditPoll } from './EditPoll.tsx';
import own from './Managing.module.css';
import { ReopenPoll } from './ReopenPoll.tsx';
import { useConfirmed } from './use-confirmed.ts';

type Asking = 'nothing' | 'close' | 'reopen' | 'edit';

/** One poll of the list, and what can be done with it. */
export function PollEntry({ poll }: { readonly poll: ManagedPoll }) {
  const { question, state } = poll;
  const [asking, setAsking] = useState<Asking>('nothing');
  const editButton = useRef<HTMLButtonElement>(null);
  const stop = () => setAsking('nothing');
  return (
    <li>
      <div className={styles.entry}>
        <Facts {...poll} />
        <div className={styles.actions}>
          <button
            ref={editButton}
            type="button"
            className="button button--small"
            aria-label={texts.editName(question)}
            aria-expanded={asking === 'edit'}
            onClick={() => setAsking(asking === 'edit' ? 'nothing' : 'edit')}
          >
            {texts.edit}
          </button>
          {state === 'open' && (
            <button
              type="button"
              className="button button--small"
              aria-label={texts.closeName(question)}
              onClick={() => setAsking('close')}
            >
              {texts.close}
            </button>
          )}
          {state === 'closed' && (
            <button
              type="button"
              className="button button--small"
              aria-label={texts.reopenName(question)}
              onClick={() => setAsking('reopen')}
            >
              {texts.reopen}
            </button>
          )}
        </div>
      </div>
      {asking === 'edit' && (
        <EditPoll
          poll={poll}
          onClose={() => {
            stop();
            editButton.current?.focus();
          }}
        />
      )}
      {asking === 'close' && <ClosePoll poll={poll} onClose={stop} />}
      {asking === 'reopen' && <ReopenPoll poll={poll} onClose={stop} />}
    </li>
  );
}

function Facts({
  id,
  question,
  state,
  totalVotes,
  votesHere,
  startsAt,
  endsAt,
  closedAt,
  category,
  demonstration,
  previewToken,
}: ManagedPoll) {
  const path = previewToken === null ? `/poll/${id}` : `/poll/${id}?preview=${previewToken}`;
  return (
    <div className={own.record}>
      <p className={own.title}>
        <a href={path} dir="auto">
          {question}
        </a>
      </p>
      <p className={`small ${own.marks}`}>
        <span className={`tag ${state === 'open' ? 'tag--solid' : ''}`.trim()}>{texts.states[state]}</span>
        <span className="figure">{texts.votes(totalVotes, votesHere)}</span>
        {category !== null && <bdi className="muted">{categoryLabel(category)}</bdi>}
        {demonstration && <span className="muted">{texts.demonstration}</span>}
      </p>
      <p className={`muted small ${own.marks}`}>
        <span className={`figure ${own.times}`}>
          <time dateTime={startsAt}>{formatMoment(startsAt)}</time> –{' '}
          <time dateTime={closedAt ?? endsAt}>{formatMoment(closedAt ?? endsAt)}</time>
        </span>
        <code className={own.id}>{id}</code>
      </p>
      {previewToken !== null && (
        <>
          <p className="muted small">{texts.previewHint(limits.previewLinkDays)}</p>
          <CopyLink url={`${location.origin}${path}`} label={texts.preview(question)} ready />
        </>
      )}
    </div>
  );
}

function ClosePoll({ poll, onClose }: { readonly poll: ManagedPoll; readonly onClose: () => void }) {
  const { title, text, confirm, done } = texts.closing;
  const { pending, problem, confirm: close } = useConfirmed(onClose);
  const handleConfirm = () =>
    close(async () => {
      await callAdmin('closePoll', { params: { id: poll.id } });
      return done;
    });
  return (
    <ConfirmDialog
      {...{ title, text, confirm, pending, problem, onClose }}
      cancel={texts.cancel}
      onConfirm={() => void handleConfirm()}
    />
  );
}
