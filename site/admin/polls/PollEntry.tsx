import { useId, useRef, useState } from 'react';
import * as limits from '#contract/limits.ts';
import type { ManagedPoll } from '#contract/managed-poll.ts';
import { categoryLabel } from '#domain/poll-results.ts';
import { CopyLink } from '#site/ui/CopyLink.tsx';
import { ConfirmDialog, Dialog, DialogActions } from '#site/ui/Dialog.tsx';
import { Field } from '#site/ui/Field.tsx';
import { formatMoment } from '#site/ui/format.ts';
import { pollListTexts as texts } from '#texts/admin.ts';
import styles from '#site/admin/Admin.module.css';
import { callAdmin, useDialogMutation } from '#site/admin/admin-session.ts';
import listStyles from '#site/admin/AdminLists.module.css';
import { EditPoll } from './EditPoll.tsx';

type Action = 'close' | 'reopen' | 'edit';

/** A poll of the list with its actions. */
export function PollEntry({ poll }: { readonly poll: ManagedPoll }) {
  const { question, state } = poll;
  const [action, setAction] = useState<Action | null>(null);
  const editButton = useRef<HTMLButtonElement>(null);
  const close = () => setAction(null);
  return (
    <li>
      <div className={styles.entry}>
        <Facts {...poll} />
        <div className={styles.actions}>
          <a
            className="button button--small"
            href={previewPath(poll)}
            target="_blank"
            rel="noreferrer"
            aria-label={texts.previewName(question)}
          >
            {texts.previewPage}
          </a>
          <button
            ref={editButton}
            type="button"
            className="button button--small"
            aria-label={texts.editName(question)}
            aria-expanded={action === 'edit'}
            onClick={() => setAction(action === 'edit' ? null : 'edit')}
          >
            {texts.edit}
          </button>
          {state === 'open' && (
            <button
              type="button"
              className="button button--small"
              aria-label={texts.closeName(question)}
              onClick={() => setAction('close')}
            >
              {texts.close}
            </button>
          )}
          {state === 'closed' && (
            <button
              type="button"
              className="button button--small"
              aria-label={texts.reopenName(question)}
              onClick={() => setAction('reopen')}
            >
              {texts.reopen}
            </button>
          )}
        </div>
      </div>
      {action === 'edit' && (
        <EditPoll
          poll={poll}
          onClose={() => {
            close();
            editButton.current?.focus();
          }}
        />
      )}
      {action === 'close' && <ClosePoll poll={poll} onClose={close} />}
      {action === 'reopen' && <ReopenPoll poll={poll} onClose={close} />}
    </li>
  );
}

/** The page of a poll as it would be published now. A scheduled poll has no other page yet. */
function previewPath({ id, state, previewToken }: Pick<ManagedPoll, 'id' | 'state' | 'previewToken'>): string {
  return `/poll/${id}${state === 'scheduled' ? '' : '/preview'}?preview=${previewToken}`;
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
  const isScheduled = state === 'scheduled';
  const path = isScheduled ? previewPath({ id, state, previewToken }) : `/poll/${id}`;
  return (
    <div className={listStyles.record}>
      <p className={listStyles.title}>
        <a href={path} dir="auto">
          {question}
        </a>
      </p>
      <p className={`small ${listStyles.marks}`}>
        <span className={`tag ${state === 'open' ? 'tag--solid' : ''}`.trim()}>{texts.states[state]}</span>
        <span className="figure">{texts.votes(totalVotes, votesHere)}</span>
        {category !== null && <bdi className="muted">{categoryLabel(category)}</bdi>}
        {demonstration && <span className="muted">{texts.demonstration}</span>}
      </p>
      <p className={`muted small ${listStyles.marks}`}>
        <span className={`figure ${listStyles.times}`}>
          <time dateTime={startsAt}>{formatMoment(startsAt)}</time> –{' '}
          <time dateTime={closedAt ?? endsAt}>{formatMoment(closedAt ?? endsAt)}</time>
        </span>
        <code className={listStyles.id}>{id}</code>
      </p>
      {isScheduled && (
        <>
          <p className="muted small">{texts.previewHint(limits.previewLinkDays)}</p>
          <CopyLink url={`${location.origin}${path}`} label={texts.preview(question)} ready />
        </>
      )}
    </div>
  );
}

interface PollDialogProps {
  readonly poll: ManagedPoll;
  readonly onClose: () => void;
}

function ClosePoll({ poll, onClose }: PollDialogProps) {
  const { title, text, confirm, done } = texts.closing;
  const { mutate, pending, problem } = useDialogMutation(async () => {
    await callAdmin('closePoll', { params: { id: poll.id } });
    return done;
  }, onClose);
  return (
    <ConfirmDialog
      {...{ title, text, confirm, pending, problem, onClose }}
      cancel={texts.cancel}
      onConfirm={() => mutate()}
    />
  );
}

/** A week from now to the hour, as the value of a date field. */
function inAWeek(): string {
  const end = new Date(Date.now() + 7 * 86_400_000);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${end.getFullYear()}-${two(end.getMonth() + 1)}-${two(end.getDate())}T${two(end.getHours())}:00`;
}

/** Reopens a closed poll until its end; asks for a new end if the old one has passed. */
function ReopenPoll({ poll, onClose }: PollDialogProps) {
  const { title, needsEnd, text, end: endLabel, endHint, noEnd, confirm, done } = texts.reopening;
  const id = useId();
  const [isOver] = useState(() => Date.parse(poll.endsAt) <= Date.now());
  const [end, setEnd] = useState(inAWeek);
  const [missing, setMissing] = useState(false);
  const reopen = useDialogMutation(async () => {
    const body = isOver ? { endsAt: new Date(end).toISOString() } : {};
    await callAdmin('reopenPoll', { params: { id: poll.id }, body });
    return done;
  }, onClose);
  const problem = missing ? noEnd : reopen.problem;
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className={listStyles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (reopen.pending) return;
          setMissing(isOver && end === '');
          if (!isOver || end !== '') reopen.mutate();
        }}
      >
        <p>{isOver ? needsEnd : text(formatMoment(poll.endsAt))}</p>
        {isOver ? (
          <Field
            id={id}
            label={endLabel}
            hint={endHint(Intl.DateTimeFormat().resolvedOptions().timeZone)}
            problem={problem ?? undefined}
          >
            {(control) => (
              <input
                {...control}
                type="datetime-local"
                className="input"
                max="9999-12-31T23:59"
                value={end}
                onChange={({ target }) => {
                  setEnd(target.value);
                  setMissing(false);
                  if (reopen.problem !== null) reopen.reset();
                }}
              />
            )}
          </Field>
        ) : (
          problem !== null && (
            <p className={listStyles.problem} role="alert">
              {problem}
            </p>
          )
        )}
        <DialogActions>
          <button type="button" className="button" onClick={onClose}>
            {texts.cancel}
          </button>
          <button type="submit" className="button button--primary" aria-disabled={reopen.pending}>
            {confirm}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
