import { useState } from 'react';
import type { EditedPoll } from '#api/polls/poll-editor.contract.ts';
import { ActionDialog } from '#site/admin/ActionDialog.tsx';
import { callAdmin } from '#site/admin/admin-session.ts';
import { FormDialog } from '#site/admin/AdminForm.tsx';
import { pollIdIn } from '#site/admin/poll-id-in.ts';
import { fromLocalTime, toLocalTime } from '#site/admin/admin-time.ts';
import { Dialog, DialogActions } from '#site/ui/Dialog.tsx';
import { formatMoment } from '#site/ui/format.ts';
import { pollEditorTexts as texts } from '#texts/poll-editor.ts';

/** What can be done with a poll as a whole. */
export type PollAction = 'close' | 'reopen' | 'unpublish' | 'delete' | 'discard';

interface PollDialogProps {
  readonly poll: EditedPoll;
  readonly onClose: () => void;
  /** The poll, or the draft of one that is not published, does not exist any more. */
  readonly onGone: () => void;
  readonly onDiscarded: () => void;
  /** Asks for another action instead. */
  readonly onInstead: (action: PollAction) => void;
}

const dialogs = {
  close: ClosePoll,
  reopen: ReopenPoll,
  unpublish: UnpublishPoll,
  delete: DeletePoll,
  discard: Discard,
};

/** The dialog that asks before an action. */
export function PollDialog({ action, ...props }: PollDialogProps & { readonly action: PollAction }) {
  const Shown = dialogs[action];
  return <Shown {...props} />;
}

function ClosePoll({ poll, onClose }: PollDialogProps) {
  const { done, ...asked } = texts.closing;
  const action = async () => {
    await callAdmin('closePoll', { params: { id: poll.id } });
    return done;
  };
  return <ActionDialog {...{ ...asked, action, onClose }} cancel={texts.cancel} />;
}

function Discard({ poll, onClose, onGone, onDiscarded }: PollDialogProps) {
  const { title, text, titleDraft, textDraft, confirm, done } = texts.discarding;
  const isDraft = poll.published === null;
  const action = async () => {
    await callAdmin('discardDraft', { params: { id: poll.id }, query: { version: poll.version } });
    (isDraft ? onGone : onDiscarded)();
    return done;
  };
  const asked = isDraft ? { title: titleDraft, text: textDraft } : { title, text };
  return <ActionDialog dangerous {...{ ...asked, confirm, action, onClose }} cancel={texts.cancel} />;
}

/** A poll with votes can be closed or deleted instead. */
function UnpublishPoll({ poll, onClose, onInstead }: PollDialogProps) {
  const { title, text, hasVotes, hasVotesClosed, confirm, done } = texts.unpublishing;
  const action = async () => {
    await callAdmin('unpublishPoll', { params: { id: poll.id } });
    return done;
  };
  if (!poll.hasVotes) return <ActionDialog {...{ title, text, confirm, action, onClose }} cancel={texts.cancel} />;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{poll.state === 'open' ? hasVotes : hasVotesClosed}</p>
      <DialogActions>
        <button type="button" className="button" onClick={onClose}>
          {texts.cancel}
        </button>
        {poll.state === 'open' && (
          <button type="button" className="button" onClick={() => onInstead('close')}>
            {texts.close}
          </button>
        )}
        <button type="button" className="button button--danger" onClick={() => onInstead('delete')}>
          {texts.delete}
        </button>
      </DialogActions>
    </Dialog>
  );
}

function DeletePoll({ poll, onClose, onGone }: PollDialogProps) {
  const { title, text, reason, reasonHint, noReason, redirect, redirectHint, noAddress, confirm, done } =
    texts.deleting;
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      cancel={texts.cancel}
      text={text(poll.totalVotes)}
      kind="danger"
      fields={[
        { name: 'reason', label: reason, hint: reasonHint, required: noReason, rows: 2 },
        {
          ...{ name: 'redirect', label: redirect, note: texts.optional, hint: redirectHint },
          wrong: (typed) => (pollIdIn(typed) === null ? noAddress : undefined),
          input: { autoComplete: 'off', spellCheck: false },
        },
      ]}
      submit={confirm}
      send={async (field) => {
        const redirectTo = pollIdIn(field('redirect'));
        await callAdmin('deletePoll', {
          params: { id: poll.id },
          body: { reason: field('reason'), ...(redirectTo !== null && { redirectTo }) },
        });
        onGone();
        return done;
      }}
    />
  );
}

/** A week from now, to the hour. */
const inAWeek = () => fromLocalTime(`${toLocalTime(Date.now() + 7 * 86_400_000).slice(0, 13)}:00`);

/** Reopens a closed poll until its end; asks for a new end if the old one has passed. */
function ReopenPoll({ poll, onClose }: PollDialogProps) {
  const { title, needsEnd, text, end: label, noEnd, confirm, done } = texts.reopening;
  const endsAt = poll.published?.endsAt ?? '';
  const [isOver] = useState(() => Date.parse(endsAt) <= Date.now());
  const reopen = async (body: { readonly endsAt?: string }) => {
    await callAdmin('reopenPoll', { params: { id: poll.id }, body });
    return done;
  };
  if (!isOver)
    return (
      <ActionDialog
        {...{ title, confirm, onClose }}
        text={text(formatMoment(endsAt))}
        cancel={texts.cancel}
        action={() => reopen({})}
      />
    );
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      cancel={texts.cancel}
      text={needsEnd}
      fields={[{ name: 'endsAt', label, moment: 'end', value: inAWeek() ?? undefined, required: noEnd }]}
      submit={confirm}
      send={(field) => reopen({ endsAt: field('endsAt') })}
    />
  );
}
