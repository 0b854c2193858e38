import { useId } from 'react';
import type { ImportResult } from '#api/polls/import/poll-import.contract.ts';
import { fetchAdminFile, useAdminMutation } from '#site/admin/admin-session.ts';
import styles from '#site/admin/Admin.module.css';
import { saveFile } from '#site/client/save-file.ts';
import { formatCount } from '#site/ui/format.ts';
import { importTexts as texts } from '#texts/admin.ts';
import { rejectionTexts } from '#texts/imports.ts';
import { uploadForm } from './upload-form.ts';
import type { ImportFile } from './upload-form.ts';
import type { Report } from './use-import.ts';

const maxListedProblems = 200;

/** The result of an import or dry run, with its errors and warnings. */
export function ImportReport({ report, upload }: { readonly report: Report; readonly upload: ImportFile | null }) {
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
          {result.rejected > 0 && upload !== null && <RejectedRows upload={upload} />}
          {/* Without repetitions, the list of all errors is as short. */}
          {result.groups.some(({ count }) => count > 1) && <Groups groups={result.groups} />}
          <Problems title={texts.errors(result.errors.length)} problems={result.errors} />
          <Problems title={texts.warnings(result.warnings.length)} problems={result.warnings} />
        </>
      )}
    </div>
  );
}

function RejectedRows({ upload }: { readonly upload: ImportFile }) {
  const { mutate, isPending } = useAdminMutation(
    () => fetchAdminFile('rejectedRows', { form: uploadForm(upload) }),
    (file) => saveFile(rejectionTexts.fileName, file),
  );
  const hint = useId();
  return (
    <div>
      <button
        type="button"
        className="button button--small"
        aria-describedby={hint}
        aria-disabled={isPending}
        onClick={() => isPending || mutate()}
      >
        {isPending ? rejectionTexts.downloading : rejectionTexts.download}
      </button>
      <p id={hint} className="muted small">
        {rejectionTexts.hint}
      </p>
    </div>
  );
}

function Groups({ groups }: { readonly groups: ImportResult['groups'] }) {
  return (
    <Table title={rejectionTexts.groups(groups.length)} heads={Object.values(rejectionTexts.heads)}>
      {groups.map(({ code, column, reason, sameReason, count, lines }) => (
        <tr key={`${code} ${column}`}>
          <td className="figure">{formatCount(count)}</td>
          <td>{column ?? texts.none}</td>
          <td className="figure">{rejectionTexts.lines(lines, count)}</td>
          <td>{sameReason ? reason : rejectionTexts.forExample(reason)}</td>
        </tr>
      ))}
    </Table>
  );
}

function Problems({ title, problems }: { title: string; problems: ImportResult['errors' | 'warnings'] }) {
  if (problems.length === 0) return null;
  return (
    <Table
      title={title}
      heads={Object.values(texts.columns)}
      more={problems.length > maxListedProblems ? texts.more(problems.length - maxListedProblems) : undefined}
    >
      {problems.slice(0, maxListedProblems).map(({ line, column, value, reason }, index) => (
        <tr key={index}>
          <td className="figure">{line === null ? texts.none : formatCount(line)}</td>
          <td>{column ?? texts.none}</td>
          <td dir="auto">{value === null || value === '' ? texts.none : value}</td>
          <td>{reason}</td>
        </tr>
      ))}
    </Table>
  );
}

interface TableProps {
  readonly title: string;
  readonly heads: readonly string[];
  readonly more?: string | undefined;
  readonly children: React.ReactNode;
}

function Table({ title, heads, more, children }: TableProps) {
  const id = useId();
  return (
    <div className={styles.problems} aria-live="off">
      <h4 id={id}>{title}</h4>
      {/* The region scrolls, so it must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.scroll} role="region" aria-labelledby={id} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
      {more !== undefined && <p className="muted small">{more}</p>}
    </div>
  );
}
