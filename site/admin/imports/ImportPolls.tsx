import { useId } from 'react';
import { optionalImportColumns, requiredImportColumns } from '#contract/poll-import.ts';
import type { ImportResult } from '#contract/poll-import.ts';
import { pollsTemplate } from '#domain/polls-template.ts';
import { saveFile } from '#site/client/save-file.ts';
import { formatCount } from '#site/ui/format.ts';
import { toast } from '#site/ui/toasts.ts';
import { adminToasts, importTexts as texts } from '#texts/admin.ts';
import styles from '#site/admin/Admin.module.css';
import { AdminSection } from '#site/admin/AdminSection.tsx';
import { useImport } from './use-import.ts';
import type { ImportState, Report } from './use-import.ts';

/** Imports polls from a CSV file, after a dry run. */
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
        {/* It covers the whole drop area: browsers accept files dropped on a file input. */}
        <input
          id={id}
          type="file"
          accept=".csv,text/csv"
          aria-describedby={`${id}-hint`}
          disabled={busy && !state.dryRun}
          onChange={(event) => {
            pick(event.target.files?.[0]);
            // Lets the operator pick the same file again after correcting it.
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
        {!busy && state.report !== null && <ImportReport report={state.report} />}
      </div>
      <FormatGuide />
    </AdminSection>
  );
}

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

const maxListedProblems = 200;

/** The result of an import or dry run, with its errors and warnings. */
function ImportReport({ report }: { readonly report: Report }) {
  const { dryRun, failed, message, result } = report;
  const counts = dryRun ? texts.wouldCounts : texts.counts;
  return (
    <div className={`${styles.outcome} ${failed ? styles.outcomeFailed : ''}`.trim()}>
      <h3>{dryRun ? texts.dryRun : texts.outcome}</h3>
      <p>{message}</p>
      {result !== null && (
        <>
          {/* Only the message above is announced. */}
          <dl className={styles.counts} aria-live="off">
            {(['inserted', 'updated', 'unchanged', 'rejected'] as const).map((count) => (
              <div key={count}>
                <dt>{counts[count]}</dt>
                <dd>{formatCount(result[count])}</dd>
              </div>
            ))}
          </dl>
          <Problems title={texts.errors(result.errors.length)} problems={result.errors} />
          <Problems title={texts.warnings(result.warnings.length)} problems={result.warnings} />
        </>
      )}
    </div>
  );
}

function Problems({ title, problems }: { title: string; problems: ImportResult['errors' | 'warnings'] }) {
  const id = useId();
  if (problems.length === 0) return null;
  return (
    <div className={styles.problems} aria-live="off">
      <h4 id={id}>{title}</h4>
      {/* The region scrolls, so it must be reachable by keyboard. */}
      {/* eslint-disable-next-line jsx-a11y-x/no-noninteractive-tabindex */}
      <div className={styles.scroll} role="region" aria-labelledby={id} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              {Object.values(texts.columns).map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {problems.slice(0, maxListedProblems).map(({ line, column, value, reason }, index) => (
              <tr key={index}>
                <td className="figure">{line === null ? texts.none : formatCount(line)}</td>
                <td>{column ?? texts.none}</td>
                <td dir="auto">{value === null || value === '' ? texts.none : value}</td>
                <td>{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {problems.length > maxListedProblems && (
        <p className="muted small">{texts.more(problems.length - maxListedProblems)}</p>
      )}
    </div>
  );
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
