import { useQuery } from '@tanstack/react-query';
import type { ImportRecord, UndoPreview } from '#contract/import-history.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Dialog, DialogActions } from '#site/ui/Dialog.tsx';
import { formatMoment } from '#site/ui/format.ts';
import { historyTexts, undoTexts as texts } from '#texts/admin-polls.ts';
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
  const query = useQuery(
    {
      queryKey: ['undoPreview', id],
      queryFn: ({ signal }) => callAdmin('undoPreview', { params: { id }, signal }),
    },
    queryClient(),
  );
  const handleConfirm = () =>
    confirm(async () => {
      const { state } = await callAdmin('undoImport', { params: { id } });
      return state === 'undone' ? texts.done : texts.goesOn;
    });
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <p className="muted small">
        <bdi>{record.fileName ?? historyTexts.unnamed}</bdi>, {formatMoment(record.startedAt)}
      </p>
      <Loaded query={query}>{(preview) => <Preview {...preview} />}</Loaded>
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
          disabled={query.data === undefined}
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
  const more = keptVoted + keptChanged - kept.length;
  return (
    <>
      <ul className={own.facts}>
        {removed > 0 && <li>{texts.removed(removed)}</li>}
        {restored > 0 && <li>{texts.restored(restored)}</li>}
        {keptVoted > 0 && <li>{texts.keptVoted(keptVoted)}</li>}
        {keptChanged > 0 && <li>{texts.keptChanged(keptChanged)}</li>}
      </ul>
      {kept.length > 0 && (
        <ul className={own.kept} aria-label={texts.keptList}>
          {kept.map(({ id, question }) => (
            <li key={id} dir="auto">
              {question}
            </li>
          ))}
          {more > 0 && <li className="muted">{texts.more(more)}</li>}
        </ul>
      )}
      <p className="muted small">
        {texts.hint}
        {keptVoted + keptChanged > 0 && ` ${texts.keptHint}`}
      </p>
    </>
  );
}
