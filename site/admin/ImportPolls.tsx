import { useId } from 'react';
import { pollsTemplate } from '#domain/polls-template.ts';
import { toast } from '#site/ui/toasts.ts';
import { adminToasts, importTexts as texts } from '#texts/admin.ts';
import styles from './Admin.module.css';
import { AdminSection } from './AdminSection.tsx';
import { FormatGuide } from './FormatGuide.tsx';
import { ImportOutcome } from './ImportOutcome.tsx';
import { useImport } from './use-import.ts';
import type { ImportState } from './use-import.ts';

/** Polls out of a CSV file: what would happen first, then the import. */
export function ImportPolls() {
  const id = useId();
  const { file, state, allOrNothing, pick, setAllOrNothing, upload } = useImport();
  const busy = state.is === 'sending';
  return (
    <AdminSection anchor="import" heading={texts.heading} text={texts.text}>
      <div className={styles.drop}>
        <label htmlFor={id}>{file === null ? texts.choose : file.name}</label>
        <p id={`${id}-hint`} className="muted small">
          {file === null ? texts.limit : `${texts.fileSize(file.size)}. ${texts.another}`}
        </p>
        {/* It lies over the whole place: browsers drop files into it by themselves. */}
        <input
          id={id}
          type="file"
          accept=".csv,text/csv"
          aria-describedby={`${id}-hint`}
          disabled={busy && !state.dryRun}
          onChange={(event) => {
            pick(event.target.files?.[0]);
            // The same file, mended meanwhile, may be picked again.
            event.target.value = '';
          }}
        />
      </div>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={allOrNothing}
          aria-disabled={busy}
          onChange={(event) => busy || setAllOrNothing(event.target.checked)}
        />
        {texts.allOrNothing}
      </label>
      <div className={styles.actions}>
        <button
          type="button"
          className="button button--primary"
          disabled={file === null}
          aria-disabled={busy}
          onClick={() => busy || upload()}
        >
          {texts.upload}
        </button>
        <button type="button" className="button" onClick={downloadTemplate}>
          {texts.template}
        </button>
      </div>
      <div aria-live="polite">
        {busy && <Progress {...state} />}
        {!busy && state.told !== null && <ImportOutcome told={state.told} />}
      </div>
      <FormatGuide />
    </AdminSection>
  );
}

function Progress({ dryRun, sent }: Extract<ImportState, { is: 'sending' }>) {
  const id = useId();
  const working = sent >= 1;
  return (
    <div className={styles.progress}>
      <span id={id}>{working ? (dryRun ? texts.checking : texts.writing) : texts.sending}</span>
      {/* Without a value it says that it is not known how long it takes. */}
      <progress aria-labelledby={id} max={1} {...(!working && { value: sent })} />
      <span className="figure small" aria-live="off">
        {working ? '' : texts.sent(Math.floor(sent * 100))}
      </span>
    </div>
  );
}

function downloadTemplate(): void {
  const address = URL.createObjectURL(new Blob([pollsTemplate(Date.now())], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = texts.templateName;
  link.click();
  URL.revokeObjectURL(address);
  toast(adminToasts.template);
}
