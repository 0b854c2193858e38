import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { ImportHistory as History, ImportRecord, UndoPreview } from '#api/polls/import/poll-import.contract.ts';
import * as limits from '#contract/limits.ts';
import { queryClient } from '#site/client/query-client.ts';
import { ConfirmDialog } from '#site/ui/Dialog.tsx';
import { formatMoment } from '#site/ui/format.ts';
import { historyTexts as texts, undoTexts } from '#texts/admin.ts';
import { dependentTexts } from '#texts/imports.ts';
import styles from '#site/admin/Admin.module.css';
import { callAdmin, useDialogMutation } from '#site/admin/admin-session.ts';
import { AdminList, ListRow, useAdminQuery } from '#site/admin/AdminList.tsx';
import { AdminSection, Loaded } from '#site/admin/AdminSection.tsx';

const isBusy = ({ imports }: History) => imports.some(({ state }) => state === 'running' || state === 'undoing');

/** Past imports, with buttons that undo them. */
export function ImportHistory() {
  const [page, setPage] = useState(1);
  const query = useAdminQuery('imports', {
    query: { page },
    refetch: (data) => (data && isBusy(data) ? limits.buildRefetchMs : false),
  });
  const [undoing, setUndoing] = useState<ImportRecord | null>(null);
  return (
    <AdminSection anchor="imports" heading={texts.heading} text={texts.text}>
      <AdminList
        query={query}
        rows={({ imports }) => imports}
        empty={texts.none}
        label={texts.list}
        row={(record) => (
          <ListRow actions={record.undoable && <UndoButton record={record} onClick={setUndoing} />}>
            <Import {...record} />
          </ListRow>
        )}
        paging={({ page, pages }) => ({ label: texts.list, page, pages, onPage: setPage })}
      />
      {undoing !== null && <UndoImport record={undoing} onClose={() => setUndoing(null)} />}
    </AdminSection>
  );
}

interface UndoButtonProps {
  readonly record: ImportRecord;
  readonly onClick: (record: ImportRecord) => void;
}

function UndoButton({ record, onClick }: UndoButtonProps) {
  return (
    <button
      type="button"
      className="button button--small"
      aria-label={texts.undoName(record.fileName ?? texts.unnamed)}
      onClick={() => onClick(record)}
    >
      {record.state === 'undoing' ? texts.finish : texts.undo}
    </button>
  );
}

function Import({ fileName, startedAt, origin, mode, state, message, undo, ...counts }: ImportRecord) {
  const label = texts.states[state];
  const isWritten = state !== 'refused' && state !== 'running';
  return (
    <>
      <p className={styles.title}>
        <b dir="auto">{fileName ?? texts.unnamed}</b> {label !== null && <span className="tag">{label}</span>}
      </p>
      <p className="muted small figure">
        <time dateTime={startedAt}>{formatMoment(startedAt)}</time>, {texts.origins[origin]}
        {mode === 'all-or-nothing' && `, ${texts.wholly}`}
      </p>
      {isWritten && <p className="small figure">{texts.counts(counts)}</p>}
      {(state === 'refused' || state === 'stopped') && <p className="small">{message}</p>}
      {undo !== null && (
        <p className="small figure">
          {texts.undone(undo.removed, undo.restored, undo.keptVoted + undo.keptChanged + undo.keptLater)}
        </p>
      )}
    </>
  );
}

interface UndoImportProps {
  readonly record: ImportRecord;
  readonly onClose: () => void;
}

/** Shows what undoing an import would do, and asks for confirmation. */
function UndoImport({ record, onClose }: UndoImportProps) {
  const { id } = record;
  const [discardEdits, setDiscardEdits] = useState(false);
  const query = useQuery(
    {
      queryKey: ['undoPreview', id, discardEdits],
      queryFn: ({ signal }) => callAdmin('undoPreview', { params: { id }, query: { discardEdits }, signal }),
      placeholderData: keepPreviousData,
    },
    queryClient(),
  );
  const { mutate, pending, problem } = useDialogMutation(async () => {
    const { state } = await callAdmin('undoImport', { params: { id }, query: { discardEdits } });
    return state === 'undone' ? undoTexts.done : undoTexts.stillRunning;
  }, onClose);
  return (
    <ConfirmDialog
      title={undoTexts.title}
      confirm={pending ? undoTexts.pending : undoTexts.confirm}
      cancel={undoTexts.cancel}
      {...{ pending, problem, onClose }}
      disabled={query.data === undefined || query.isPlaceholderData}
      onConfirm={() => mutate()}
    >
      <p className="muted small">
        <bdi>{record.fileName ?? texts.unnamed}</bdi>, {formatMoment(record.startedAt)}
      </p>
      <Loaded query={query}>
        {(preview) => (
          <>
            <Preview {...preview} />
            {/* An interrupted undo is resumed with the option it was started with. */}
            {record.state !== 'undoing' && (discardEdits || preview.keptChanged > 0) && (
              <DiscardEdits checked={discardEdits} onChange={setDiscardEdits} />
            )}
          </>
        )}
      </Loaded>
    </ConfirmDialog>
  );
}

function Preview(preview: UndoPreview) {
  const { removed, restored, keptVoted, keptChanged, keptLater, kept, votes, series, later } = preview;
  return (
    <>
      <ul className={styles.bullets}>
        {removed > 0 && <li>{undoTexts.removed(removed)}</li>}
        {restored > 0 && <li>{undoTexts.restored(restored)}</li>}
        {series.length > 0 && <li>{dependentTexts.series(series)}</li>}
        {votes > 0 && <li>{dependentTexts.votes(votes)}</li>}
      </ul>
      <LeftPolls because="later" sentence={dependentTexts.keptLater(keptLater)} count={keptLater} kept={kept} />
      {later.length > 0 && (
        <>
          <p className="small">{dependentTexts.later}</p>
          <ul className={`${styles.bullets} ${styles.kept}`}>
            {later.map(({ id, fileName, startedAt, polls }) => (
              <li key={id} dir="auto">
                {dependentTexts.laterImport(fileName ?? texts.unnamed, formatMoment(startedAt), polls)}
              </li>
            ))}
          </ul>
        </>
      )}
      <LeftPolls because="changes" sentence={undoTexts.keptChanged(keptChanged)} count={keptChanged} kept={kept} />
      <LeftPolls because="votes" sentence={undoTexts.keptVoted(keptVoted)} count={keptVoted} kept={kept} />
      <p className="muted small">
        {undoTexts.hint}
        {keptVoted + keptChanged > 0 && ` ${undoTexts.leftHint}`}
      </p>
    </>
  );
}

const leftLists = { ...undoTexts.leftList, later: dependentTexts.leftList } as const;

interface LeftPollsProps {
  readonly because: UndoPreview['kept'][number]['because'];
  readonly sentence: string;
  readonly count: number;
  readonly kept: UndoPreview['kept'];
}

/** The polls that are kept for one reason. */
function LeftPolls({ because, sentence, count, kept }: LeftPollsProps) {
  if (count === 0) return null;
  const listed = kept.filter((poll) => poll.because === because);
  return (
    <>
      <ul className={styles.bullets}>
        <li>{sentence}</li>
      </ul>
      <ul className={`${styles.bullets} ${styles.kept}`} aria-label={leftLists[because]}>
        {listed.map(({ id, question }) => (
          <li key={id} dir="auto">
            {question}
          </li>
        ))}
        {count > listed.length && <li className="muted">{undoTexts.more(count - listed.length)}</li>}
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
        {undoTexts.discardEdits}
      </label>
      <p id={hint} className="muted small">
        {undoTexts.discardHint}
      </p>
    </div>
  );
}
