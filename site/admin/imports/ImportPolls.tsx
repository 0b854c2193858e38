import { useId } from 'react';
import { optionalImportColumns, requiredImportColumns } from '#api/polls/import/poll-import.contract.ts';
import { pollsTemplate } from '#domain/polls-template.ts';
import styles from '#site/admin/Admin.module.css';
import { fetchAdminFile } from '#site/admin/admin-session.ts';
import { AdminForm } from '#site/admin/AdminForm.tsx';
import { AdminSection } from '#site/admin/AdminSection.tsx';
import { saveFile } from '#site/client/save-file.ts';
import { toast } from '#site/ui/toasts.ts';
import { adminToasts, importTexts as texts } from '#texts/admin.ts';
import { mappingTexts, sourceTexts } from '#texts/imports.ts';
import { ImportMapping } from './ImportMapping.tsx';
import { ImportReport } from './ImportReport.tsx';
import { useImport } from './use-import.ts';
import type { ImportState } from './use-import.ts';
import { useMapping } from './use-mapping.ts';

/** Imports polls from a file, after a dry run. */
export function ImportPolls() {
  const id = useId();
  const importing = useImport();
  const { file, state, isMapping, isChecked, allOrNothing, pick, map, setAllOrNothing, check, upload } = importing;
  const mapping = useMapping(isMapping ? file : null);
  const settings = isMapping ? mapping.complete : null;
  const busy = state.is === 'sending';
  const needsCheck = settings !== null && !isChecked(settings);
  // A report on other settings would be misleading.
  const report = state.is === 'idle' && (!isMapping || settings === null || !needsCheck) ? state.report : null;
  return (
    <AdminSection anchor="import" heading={texts.heading} text={texts.text}>
      <div className={styles.drop}>
        <label htmlFor={id}>{file === null ? texts.choose : file.name}</label>
        <p id={`${id}-hint`} className="muted small">
          {file === null ? sourceTexts.formats : `${texts.fileSize(file.size)}. ${texts.another}`}
        </p>
        {/* It covers the whole drop area: browsers accept files dropped on a file input. */}
        <input
          id={id}
          type="file"
          accept=".csv,.tsv,.xlsx,text/csv"
          aria-describedby={`${id}-hint`}
          disabled={busy && !state.dryRun}
          onChange={(event) => {
            pick(event.target.files?.[0]);
            // Lets the operator pick the same file again after correcting it.
            event.target.value = '';
          }}
        />
      </div>
      <SpreadsheetAddress onFile={pick} />
      {isMapping && <ImportMapping mapping={mapping} />}
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
        {isMapping && (settings === null || needsCheck) ? (
          <button
            type="button"
            className="button button--primary"
            disabled={settings === null}
            aria-disabled={busy}
            onClick={() => busy || settings === null || check(settings)}
          >
            {mappingTexts.check}
          </button>
        ) : (
          <button
            type="button"
            className="button button--primary"
            disabled={file === null}
            aria-disabled={busy}
            onClick={() => busy || upload(settings)}
          >
            {texts.upload}
          </button>
        )}
        {file !== null && !isMapping && (
          <button type="button" className="button" aria-disabled={busy} onClick={() => busy || map()}>
            {mappingTexts.open}
          </button>
        )}
        <button type="button" className="button" onClick={downloadTemplate}>
          {texts.template}
        </button>
      </div>
      <div aria-live="polite">
        {busy && <Progress {...state} />}
        {report !== null && <ImportReport report={report} upload={file && { file, settings }} />}
      </div>
      <FormatGuide />
    </AdminSection>
  );
}

/** Fetches a published spreadsheet as if it were a picked file. */
const SpreadsheetAddress = ({ onFile }: { readonly onFile: (file: File) => void }) => (
  <AdminForm
    className={styles.feature}
    fields={[
      {
        ...{ name: 'url', label: sourceTexts.address, required: sourceTexts.missing },
        input: { type: 'url', placeholder: 'https://', autoComplete: 'off' },
      },
    ]}
    refused="url"
    submit={sourceTexts.fetch}
    pending={sourceTexts.fetching}
    send={async (field) => {
      const content = await fetchAdminFile('fetchSpreadsheet', { json: { url: field('url') } });
      // Workbooks are ZIP files.
      const isWorkbook = (await content.slice(0, 2).text()) === 'PK';
      const day = new Date().toISOString().slice(0, 10);
      onFile(new File([content], sourceTexts.fetched(day, isWorkbook ? 'xlsx' : 'csv')));
    }}
  />
);

function Progress({ dryRun, sent }: Extract<ImportState, { is: 'sending' }>) {
  const id = useId();
  const isSent = sent >= 1;
  return (
    <div className={styles.progress}>
      <span id={id}>{isSent ? (dryRun ? texts.checking : texts.writing) : texts.sending}</span>
      {/* Without a value the bar is indeterminate. */}
      <progress aria-labelledby={id} max={1} {...(!isSent && { value: sent })} />
      <span className="figure small" aria-live="off">
        {isSent ? '' : texts.sent(Math.floor(sent * 100))}
      </span>
    </div>
  );
}

function downloadTemplate(): void {
  saveFile(texts.templateName, new Blob([pollsTemplate(Date.now())], { type: 'text/csv' }));
  toast(adminToasts.template);
}

/** The CSV format, as a disclosure. */
export function FormatGuide() {
  return (
    <details className={styles.guide}>
      <summary>{texts.guide}</summary>
      <dl>
        <dt>{texts.required}</dt>
        <dd>
          <Names names={requiredImportColumns} />
        </dd>
        <dt>{texts.optional}</dt>
        <dd>
          <Names names={optionalImportColumns} />
        </dd>
        <dt>{texts.exampleTitle}</dt>
        <dd>
          <code>{texts.example}</code>
        </dd>
      </dl>
      <ul>
        {texts.guideItems.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </details>
  );
}

function Names({ names }: { readonly names: readonly string[] }) {
  return names.map((name, index) => (
    <span key={name}>
      {index > 0 && ', '}
      <code>{name}</code>
    </span>
  ));
}
