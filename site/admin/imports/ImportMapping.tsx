import { useId } from 'react';
import { dateFormats, delimiters, headerLineMost, importFields } from '#contract/import-settings.ts';
import type { DateFormat, ImportField, ImportPreview, ImportSettings } from '#contract/import-settings.ts';
import type { ImportError, ImportWarning } from '#contract/poll-import.ts';
import { Loaded } from '#site/admin/AdminSection.tsx';
import { formatMoment } from '#site/ui/format.ts';
import { SelectField } from '#site/ui/SelectField.tsx';
import { mappingTexts as texts } from '#texts/imports.ts';
import { importFileTexts } from '#texts/poll-import.ts';
import styles from './Imports.module.css';
import type { Mapping } from './use-mapping.ts';

/** How a file is read, and its first rows as they would be imported. */
export function ImportMapping({ mapping }: { readonly mapping: Mapping }) {
  const id = useId();
  const { query, current } = mapping;
  const missing = query.data?.missing ?? [];
  return (
    <section className={styles.mapping} aria-labelledby={id}>
      <h3 id={id}>{texts.heading}</h3>
      <p role="status" className={styles.missing}>
        {query.data?.isPerPerson
          ? importFileTexts.row_per_person
          : missing.length > 0 && texts.missing(missing.map((field) => texts.fields[field]))}
      </p>
      <Loaded query={query}>
        {(preview) =>
          current !== null && (
            <>
              <Format {...{ preview, current, mapping }} />
              <Columns {...{ preview, current, mapping }} />
              <Rows {...preview} inert={query.isPlaceholderData} />
            </>
          )
        }
      </Loaded>
    </section>
  );
}

interface PartProps {
  readonly preview: ImportPreview;
  readonly current: ImportSettings;
  readonly mapping: Mapping;
}

function Format({ preview, current, mapping: { change, needsDateFormat } }: PartProps) {
  const isShown = needsDateFormat || preview.dates === 'mismatch';
  const problem = isShown && preview.dates !== 'known' ? texts[preview.dates] : undefined;
  return (
    <div className={styles.format}>
      {preview.kind === 'xlsx' ? (
        <p className="muted small">{texts.workbook}</p>
      ) : (
        <SelectField
          label={texts.delimiter}
          value={current.delimiter}
          choices={delimiters.map((delimiter) => [delimiter, texts.delimiters[delimiter]])}
          onChange={(delimiter) => change({ delimiter })}
        />
      )}
      <SelectField
        label={texts.headerLine}
        hint={texts.headerLineHint}
        value={String(current.headerLine ?? 1)}
        choices={Array.from({ length: headerLineMost }, (_, index) => [`${index + 1}`, `${index + 1}`])}
        onChange={(line) => change({ headerLine: Number(line) })}
      />
      <SelectField<DateFormat | ''>
        label={texts.dateFormat}
        problem={problem}
        value={needsDateFormat ? '' : (current.dateFormat ?? preview.settings.dateFormat ?? '')}
        choices={[
          ...(needsDateFormat ? [['', texts.chooseFormat] as const] : []),
          ...dateFormats.map((format) => [format, texts.dateFormats[format]] as const),
        ]}
        onChange={(dateFormat) => dateFormat !== '' && change({ dateFormat })}
      />
      <SelectField
        label={texts.timeZone}
        hint={texts.timeZoneHint}
        value={current.timeZone}
        choices={[...new Set([current.timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((zone) => [
          zone,
          zone,
        ])}
        onChange={(timeZone) => change({ timeZone })}
      />
    </div>
  );
}

function Columns({ preview, current, mapping: { change } }: PartProps) {
  const id = useId();
  const assign = (index: number, field: ImportField | null) =>
    change({
      // A field is read from one column.
      columns: current.columns.map((other, place) => (place === index ? field : other === field ? null : other)),
    });
  return (
    <ul className={styles.columns} aria-label={texts.columns}>
      {preview.columns.map(({ name, samples }, index) => {
        const label = texts.column(name, index + 1);
        return (
          <li key={index} className={styles.column}>
            <div>
              <b dir="auto">{label}</b>
              <p className="muted small" dir="auto">
                {samples.join(' · ')}
              </p>
            </div>
            <select
              id={`${id}-${index}`}
              className="input"
              aria-label={texts.readAs(label)}
              value={current.columns[index] ?? ''}
              onChange={({ target }) => assign(index, target.value === '' ? null : (target.value as ImportField))}
            >
              <option value="">{texts.ignored}</option>
              {importFields.map((field) => (
                <option key={field} value={field}>
                  {texts.fields[field]}
                </option>
              ))}
            </select>
          </li>
        );
      })}
    </ul>
  );
}

type RowsProps = Pick<ImportPreview, 'rows' | 'errors' | 'warnings'> & { readonly inert: boolean };

function Rows({ rows, errors, warnings, inert }: RowsProps) {
  const id = useId();
  if (rows.length === 0) return null;
  return (
    <div>
      <h4 id={id}>{texts.rows}</h4>
      <p className="muted small">{texts.idsHint}</p>
      <ol className={styles.rows} aria-labelledby={id} inert={inert}>
        {rows.map(({ line, poll }) => (
          <li key={line}>
            <p className="small muted">
              {texts.line(line)} <span className="tag">{stateOf(poll)}</span>
            </p>
            <Problems problems={poll === null ? errors : warnings} line={line} />
            {poll !== null && (
              <>
                <p dir="auto">
                  <b>{poll.question}</b>
                </p>
                <p className="small" dir="auto">
                  {poll.options.join(' · ')}
                </p>
                <p className="small muted figure">
                  {texts.opens} {formatMoment(poll.startsAt)}, {texts.closes.toLowerCase()} {formatMoment(poll.endsAt)}
                </p>
                <p className="small muted">
                  <code>{poll.id}</code>
                </p>
              </>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

function Problems({
  problems,
  line,
}: {
  readonly problems: readonly ImportWarning[] | readonly ImportError[];
  readonly line: number;
}) {
  return problems
    .filter((problem) => problem.line === line)
    .map(({ column, reason }, index) => (
      <p key={index} className="small">
        {column !== null && <b>{column}: </b>}
        {reason}
      </p>
    ));
}

const stateOf = (poll: ImportPreview['rows'][number]['poll']) =>
  poll === null ? texts.rejected : poll.exists ? texts.exists : texts.isNew;
