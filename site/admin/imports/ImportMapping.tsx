import { useId } from 'react';
import {
  answerFields,
  dateFormats,
  delimiters,
  fixedFields,
  headerLineMost,
  importFields,
} from '#api/polls/import/import-settings.contract.ts';
import type {
  DateFormat,
  FixedField,
  ImportField,
  ImportPreview,
  ImportSettings,
} from '#api/polls/import/import-settings.contract.ts';
import type { ImportError, ImportWarning } from '#api/polls/import/poll-import.contract.ts';
import { pastedOptions } from '#domain/pasted-options.ts';
import adminStyles from '#site/admin/Admin.module.css';
import { Loaded } from '#site/admin/AdminSection.tsx';
import { Field } from '#site/ui/Field.tsx';
import { formatCount, formatMoment } from '#site/ui/format.ts';
import { SelectField } from '#site/ui/SelectField.tsx';
import { mappingTexts as texts } from '#texts/imports.ts';
import styles from './Imports.module.css';
import type { Mapping } from './use-mapping.ts';

/** How a file is read, and its first rows as they would be imported. */
export function ImportMapping({ mapping }: { readonly mapping: Mapping }) {
  const id = useId();
  const { query, current } = mapping;
  const missing = query.data?.missing ?? [];
  return (
    <section className={adminStyles.outcome} aria-labelledby={id}>
      <h3 id={id}>{texts.heading}</h3>
      <p role="status" className={styles.missing}>
        {query.data && missing.length > 0 && (
          <>
            {query.data.shape !== 'polls' && `${texts.shapes[query.data.shape]} `}
            {texts.missing(missing.map((field) => texts.fields[field]))}
          </>
        )}
      </p>
      <Loaded query={query}>
        {(preview) =>
          current !== null && (
            <>
              <Format {...{ preview, current, mapping }} />
              <Columns {...{ preview, current, mapping }} />
              <WithoutColumn {...{ preview, current, mapping }} />
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
      // A field is read from one column, but each answer from its own.
      columns: current.columns.map((other, place) => {
        if (place === index) return field;
        return other === field && !answerFields.some((answer) => answer === field) ? null : other;
      }),
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

/** Values for all rows, of fields that the file lacks, and the answers that are counted. */
function WithoutColumn({ preview, current, mapping: { change } }: PartProps) {
  const id = useId();
  const { fixed = {}, answers, columns } = current;
  const fields = fixedFields.filter((field) => fixed[field] !== undefined || preview.missing.includes(field));
  const fix = (field: FixedField, value: string) => {
    change({ fixed: { ...fixed, [field]: value === '' ? undefined : value } });
  };
  const hasResponses = columns.includes('response');
  if (fields.length === 0 && !hasResponses) return null;
  return (
    <fieldset className={styles.format}>
      <legend>{texts.fixed}</legend>
      {fields.map((field) => (
        <Field
          key={field}
          id={`${id}-${field}`}
          label={texts.fields[field]}
          {...(texts.fixedHints[field] !== undefined && { hint: texts.fixedHints[field] })}
        >
          {(control) => (
            <input
              {...control}
              className="input"
              dir="auto"
              defaultValue={fixed[field] ?? ''}
              onBlur={({ target }) => target.value.trim() !== (fixed[field] ?? '') && fix(field, target.value.trim())}
            />
          )}
        </Field>
      ))}
      {hasResponses && (
        <Field id={`${id}-answers`} label={texts.answers} hint={texts.answersHint}>
          {(control) => (
            <textarea
              {...control}
              className="input"
              dir="auto"
              rows={4}
              defaultValue={answers?.join('\n') ?? ''}
              onBlur={({ target }) => {
                const list = pastedOptions(target.value) ?? undefined;
                if (list?.join('\n') !== answers?.join('\n')) change({ answers: list });
              }}
            />
          )}
        </Field>
      )}
    </fieldset>
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
                  {poll.options
                    .map((text, place) => (poll.votes === null ? text : `${text} (${formatCount(poll.votes[place]!)})`))
                    .join(' · ')}
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
