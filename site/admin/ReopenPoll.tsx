import { useId, useState } from 'react';
import type { ManagedPoll } from '#contract/managed-poll.ts';
import { Dialog, DialogActions } from '#site/ui/Dialog.tsx';
import { Field } from '#site/ui/Field.tsx';
import { formatMoment } from '#site/ui/format.ts';
import { pollListTexts } from '#texts/admin-polls.ts';
import { callAdmin } from './admin-session.ts';
import own from './Managing.module.css';
import { useConfirmed } from './use-confirmed.ts';

const { reopening: texts, cancel } = pollListTexts;

/** A week from now to the hour, as a date field has it. */
function inAWeek(): string {
  const end = new Date(Date.now() + 7 * 86_400_000);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${end.getFullYear()}-${two(end.getMonth() + 1)}-${two(end.getDate())}T${two(end.getHours())}:00`;
}

/** Opens a closed poll again until its end; asks for a new end when the old one has come. */
export function ReopenPoll({ poll, onClose }: { readonly poll: ManagedPoll; readonly onClose: () => void }) {
  const id = useId();
  const [isOver] = useState(() => Date.parse(poll.endsAt) <= Date.now());
  const [end, setEnd] = useState(inAWeek);
  const { pending, problem, setProblem, confirm } = useConfirmed(onClose);
  const open = async () => {
    if (isOver && end === '') {
      setProblem(texts.noEnd);
      return;
    }
    await confirm(async () => {
      const body = isOver ? { endsAt: new Date(end).toISOString() } : {};
      await callAdmin('reopenPoll', { params: { id: poll.id }, body });
      return texts.done;
    });
  };
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <form
        className={own.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!pending) void open();
        }}
      >
        <p>{isOver ? texts.needsEnd : texts.text(formatMoment(poll.endsAt))}</p>
        {isOver ? (
          <Field
            id={id}
            label={texts.end}
            hint={texts.endHint(Intl.DateTimeFormat().resolvedOptions().timeZone)}
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
                  setProblem(null);
                }}
              />
            )}
          </Field>
        ) : (
          problem !== null && (
            <p className={own.problem} role="alert">
              {problem}
            </p>
          )
        )}
        <DialogActions>
          <button type="button" className="button" onClick={onClose}>
            {cancel}
          </button>
          <button type="submit" className="button button--primary" aria-disabled={pending}>
            {texts.confirm}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
