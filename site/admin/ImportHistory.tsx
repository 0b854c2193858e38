import { useState } from 'react';
import type { ImportRecord } from '#contract/poll-import.ts';
import { formatMoment } from '#site/ui/format.ts';
import { historyTexts as texts } from '#texts/admin-polls.ts';
import styles from './Admin.module.css';
import { AdminSection } from './AdminSection.tsx';
import { Loaded } from './Loaded.tsx';
import own from './Managing.module.css';
import { PageSteps } from './PageSteps.tsx';
import { UndoImport } from './UndoImport.tsx';
import { useImports } from './use-managing.ts';

/** Imports that are over, and the way back from the last one. */
export function ImportHistory() {
  const { query, setPage } = useImports();
  const [asking, setAsking] = useState<ImportRecord | null>(null);
  return (
    <AdminSection anchor="imports" heading={texts.heading} text={texts.text}>
      <Loaded query={query}>
        {({ imports, last, page, pages, total }) =>
          total === 0 ? (
            <p className="muted">{texts.none}</p>
          ) : (
            <>
              {/* Files that changed nothing, or were refused, may have pushed it to another page. */}
              {last !== null && !imports.some(({ id }) => id === last.id) && (
                <div className={own.last}>
                  <p className="small">
                    {texts.last} <b dir="auto">{last.fileName ?? texts.unnamed}</b>, {formatMoment(last.startedAt)}
                  </p>
                  <Undo record={last} onPress={setAsking} />
                </div>
              )}
              <ul className={styles.list} aria-label={texts.list}>
                {imports.map((record) => (
                  <li key={record.id} className={styles.entry}>
                    <Import {...record} />
                    {record.undoable && <Undo record={record} onPress={setAsking} />}
                  </li>
                ))}
              </ul>
              <PageSteps label={texts.list} page={page} pages={pages} onPage={setPage} />
            </>
          )
        }
      </Loaded>
      {asking !== null && <UndoImport record={asking} onClose={() => setAsking(null)} />}
    </AdminSection>
  );
}

interface UndoProps {
  readonly record: ImportRecord;
  readonly onPress: (record: ImportRecord) => void;
}

function Undo({ record, onPress }: UndoProps) {
  return (
    <button
      type="button"
      className="button button--small"
      aria-label={texts.undoName(record.fileName ?? texts.unnamed)}
      onClick={() => onPress(record)}
    >
      {record.state === 'undoing' ? texts.finish : texts.undo}
    </button>
  );
}

function Import({ fileName, startedAt, origin, mode, state, message, undo, ...counts }: ImportRecord) {
  const label = texts.states[state];
  const isWritten = state !== 'refused' && state !== 'running';
  return (
    <div className={own.record}>
      <p className={own.title}>
        <b dir="auto">{fileName ?? texts.unnamed}</b> {label !== null && <span className="tag">{label}</span>}
      </p>
      <p className="muted small figure">
        <time dateTime={startedAt}>{formatMoment(startedAt)}</time>, {texts.origins[origin]}
        {mode === 'all-or-nothing' && `, ${texts.wholly}`}
      </p>
      {isWritten && <p className="small figure">{texts.counts(counts)}</p>}
      {(state === 'refused' || state === 'stopped') && <p className="small">{message}</p>}
      {undo !== null && (
        <p className="small figure">{texts.undone(undo.removed, undo.restored, undo.keptVoted + undo.keptChanged)}</p>
      )}
    </div>
  );
}
