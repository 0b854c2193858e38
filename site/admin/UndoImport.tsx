import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { ImportRecord, UndoPreview } from '#contract/poll-import.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Dialog, DialogActions } from '#site/ui/Dialog.tsx';
import { formatMoment } from '#site/ui/format.ts';
import { historyTexts, undoTexts as texts } from '#texts/admin-polls.ts';
import styles from './Admin.module.css';
import { callAdmin } from './admin-session.ts';
import { Loaded } from './Loaded.tsx';
import own from './Managing.module.css';
import { useConfirmed } from './use-confirmed.ts';

interface UndoImportProps {
  readonly record: ImportRecord;
  readonly onClose: () => void;
}

/** Says what taking an import back would do, and does it when it is wanted. */
export function UndoImport({ record, onClose }: UndoImportProps) {
  const { id } = record;
  const { pending, problem, confirm } = useConfirmed(onClose);
  const [discardEdits, setDiscardEdits] = useState(false);
  const query = useQuery(
    {
      queryKey: ['undoPreview', id, discardEdits],
      queryFn: ({ signal }) => callAdmin('undoPreview', { params: { id }, query: { discardEdits }, signal }),
      placeholderData: keepPreviousData,
    },
    queryClient(),
  );
  const handleConfirm = () =>
    confirm(async () => {
      const { state } = await callAdmin('undoImport', { params: { id }, query: { discardEdits } });
      return state === 'undone' ? texts.done : texts.goesOn;
    });
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <p className="muted small">
        <bdi>{record.fileName ?? historyTexts.unnamed}</bdi>, {formatMoment(record.startedAt)}
      </p>
      <Loaded query={query}>
        {(preview) => (
          <>
            <Preview {...preview} />
            {/* An undo that broke off goes on as it was begun. */}
            {record.state !== 'undoing' && (discardEdits || preview.keptChanged > 0) && (
              <DiscardEdits checked={discardEdits} onChange={setDiscardEdits} />
            )}
          </>
        )}
      </Loaded>
      {problem !== null && (
        <p className={own.problem} role="alert">
          {problem}
        </p>
      )}
      <DialogActions>
        <button type="button" className="button" onClick={onClose}>
          {texts.cancel}
        </button>
        <button
          type="button"
          className="button button--primary"
          disabled={query.data === undefined || query.isPlaceholderData}
          aria-disabled={pending}
          onClick={() => pending || void handleConfirm()}
        >
          {pending ? texts.pending : texts.confirm}
        </button>
      </DialogActions>
    </Dialog>
  );
}

function Preview({ removed, restored, keptVoted, keptChanged, kept }: UndoPreview) {
  return (
    <>
      <ul className={own.facts}>
        {removed > 0 && <li>{texts.removed(removed)}</li>}
        {restored > 0 && <li>{texts.restored(restored)}</li>}
      </ul>
      <Kept because="changes" sentence={texts.keptChanged(keptChanged)} count={keptChanged} kept={kept} />
      <Kept because="votes" sentence={texts.keptVoted(keptVoted)} count={keptVoted} kept={kept} />
      <p className="muted small">
        {texts.hint}
        {keptVoted + keptChanged > 0 && ` ${texts.keptHint}`}
      </p>
    </>
  );
}

interface KeptProps {
  readonly because: UndoPreview['kept'][number]['because'];
  readonly sentence: string;
  readonly count: number;
  readonly kept: UndoPreview['kept'];
}

/** Polls that stay for one reason. */
function Kept({ because, sentence, count, kept }: KeptProps) {
  if (count === 0) return null;
  const named = kept.filter((poll) => poll.because === because);
  return (
    <>
      <ul className={own.facts}>
        <li>{sentence}</li>
      </ul>
      <ul className={own.kept} aria-label={texts.keptList[because]}>
        {named.map(({ id, question }) => (
          <li key={id} dir="auto">
            {question}
          </li>
        ))}
        {count > named.length && <li className="muted">{texts.more(count - named.length)}</li>}
      </ul>
    </>
  );
}

interface DiscardEditsProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

function DiscardEdits({ checked, onChange }: DiscardEditsProps) {
  const hint = useId();
  return (
    <div>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={checked}
          aria-describedby={hint}
          onChange={({ target }) => onChange(target.checked)}
        />
        {texts.discardEdits}
      </label>
      <p id={hint} className="muted small">
        {texts.discardHint}
      </p>
    </div>
  );
}
