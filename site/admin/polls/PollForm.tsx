import type { ReactNode } from 'react';
import checkContent from 'virtual:check/PollContent';
import * as limits from '#contract/limits.ts';
import type { ContentField, EditedPoll, PollContent } from '#api/polls/poll-editor.contract.ts';
import { importLimits } from '#api/polls/import/poll-import.contract.ts';
import { provenanceFields } from '#contract/vocabulary.ts';
import type { Provenance } from '#api/polls/polls.contract.ts';
import type { Protection } from '#contract/vocabulary.ts';
import { rankOf } from '#domain/protection.ts';
import { oneLine } from '#domain/visible-text.ts';
import adminStyles from '#site/admin/Admin.module.css';
import { AdminMoment } from '#site/admin/AdminMoment.tsx';
import { checkInput } from '#site/client/check-input.ts';
import { Field } from '#site/ui/Field.tsx';
import type { FieldControl } from '#site/ui/Field.tsx';
import { optionField, OptionList, optionFieldOf } from '#site/ui/OptionList.tsx';
import { WordingHints } from '#site/ui/WordingHints.tsx';
import { optionListTexts } from '#texts/option-list.ts';
import { OptionOrderSelect } from '#site/ui/OptionOrderSelect.tsx';
import { ProtectionSelect } from '#site/ui/ProtectionSelect.tsx';
import { protectionTexts } from '#texts/protection.ts';
import { pollEditorTexts as texts } from '#texts/poll-editor.ts';
import { countriesOf } from './countries.ts';
import styles from './PollEditor.module.css';

interface PollFormProps {
  /** Prefix of the fields’ ids. */
  readonly id: string;
  readonly poll: EditedPoll;
  readonly content: PollContent;
  /** The countries as lines; those that can’t be read are not in the content. */
  readonly countryLines: string;
  readonly onCountryLines: (lines: string) => void;
  /** Messages by name of a field, see {@link pollFieldOf}. */
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (part: Partial<PollContent>) => void;
}

/** The options that the server counts: those with a text. */
const written = (options: PollContent['options']) => options.filter(({ text }) => text.trim() !== '');

/** What can’t be saved as it is, such as a text that is too long: sentences by field, named as those of a refusal. */
export const unsavable = (content: PollContent): ReadonlyMap<string, string> =>
  new Map(
    checkInput(checkContent, { ...content, options: written(content.options) }).map(({ field, message }) => [
      field,
      message,
    ]),
  );

/** The length of a text that is too long. */
function counted(text: string, most: number): string | undefined {
  const { length } = Array.from(text);
  return length > most ? texts.counter(length, most) : undefined;
}

/** The name of the field with a part of what is saved, such as `options.0.text`. */
export function pollFieldOf(part: string, { options }: PollContent): string {
  const [field = ''] = part.split('.');
  if (field === 'options')
    return optionFieldOf(
      part,
      written(options).map(({ id: key }) => ({ key })),
    );
  return field === 'provenance' ? part : field;
}

/** The control of a field, by its id, with its label; null if there is none. */
export function controlOf(id: string, field: string, { options }: PollContent): { id: string; label: string } | null {
  const option = options.find((one) => optionField({ key: one.id }) === field);
  if (option) return { id: `${id}-${field}`, label: optionListTexts.option(options.indexOf(option) + 1) };
  const [name = '', part] = field.split('.');
  const label = (texts.fields as Readonly<Record<string, string>>)[name];
  if (label === undefined) return null;
  if (name === 'options') return { id: `${id}-option-${options[0]?.id}`, label };
  return { id: `${id}-${field.replace('.', '-')}`, label: texts.provenance[part as keyof Provenance] ?? label };
}

type TextField = 'category' | 'series' | 'seriesNote' | 'author' | 'summary' | 'analysis' | 'methodologyNotes';

/** All that can be edited of a poll; fields that voters have relied on are fixed. */
export function PollForm({ id, poll, content, countryLines, onCountryLines, problems, onChange }: PollFormProps) {
  const problemOf = (field: string) => problems.get(field);
  const hintOf = (name: ContentField) =>
    name === 'protection' ? protectionTexts.means[content.protection] : texts.hints[name];
  const field = (name: ContentField, children: (control: FieldControl) => ReactNode, note?: string, wide = false) => (
    <Field
      id={`${id}-${name}`}
      label={texts.fields[name]}
      problem={problemOf(name)}
      className={wide ? styles.wide : undefined}
      {...(hintOf(name) !== undefined && { hint: hintOf(name) })}
      {...(note !== undefined && { note })}
    >
      {children}
    </Field>
  );
  const optional = (name: TextField, rows?: number) => {
    const shared = { name, className: 'input', dir: 'auto', value: content[name] ?? '' } as const;
    const change = (value: string) => onChange({ [name]: value === '' ? null : value });
    return field(
      name,
      (control) =>
        rows === undefined ? (
          <input {...control} {...shared} onChange={({ target }) => change(target.value)} />
        ) : (
          <textarea {...control} {...shared} rows={rows} onChange={({ target }) => change(target.value)} />
        ),
      texts.optional,
      rows !== undefined,
    );
  };
  const lines = (name: 'tags' | 'countryBreakdown', value: string, change: (value: string) => void, wide = false) =>
    field(
      name,
      (control) => (
        <textarea
          {...{ ...control, name, value }}
          className="input"
          dir="auto"
          rows={3}
          onChange={({ target }) => change(target.value)}
        />
      ),
      texts.optional,
      wide,
    );
  const moment = (name: 'startsAt' | 'endsAt', locked: string | null) => (
    <AdminMoment
      id={`${id}-${name}`}
      name={name}
      label={texts.fields[name]}
      problem={problemOf(name)}
      hint={locked ?? texts.hints[name]}
      value={content[name]}
      isEnd={name === 'endsAt'}
      readOnly={locked !== null}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  const isLower = (level: Protection) => rankOf(level) < rankOf(poll.published?.protection ?? 'browser');
  const hasOpened = poll.state === 'open' || poll.state === 'closed';

  return (
    <div className={styles.form}>
      <section className={styles.part} aria-label={texts.parts.question}>
        {field(
          'question',
          (control) => (
            <textarea
              {...control}
              name="question"
              className={`input ${styles.question}`}
              dir="auto"
              rows={2}
              value={content.question}
              onChange={({ target }) => onChange({ question: oneLine(target.value) })}
            />
          ),
          counted(content.question, importLimits.question),
          true,
        )}
        <div className={`${styles.wide} ${styles.hints}`}>
          <WordingHints question={content.question} options={content.options.map(({ text }) => text)} />
        </div>
        <Options {...{ id, poll, content, problems, onChange }} />
        {field('optionOrder', (control) => (
          <OptionOrderSelect
            {...control}
            disabled={poll.hasVotes}
            value={content.optionOrder}
            onChange={(optionOrder) => onChange({ optionOrder })}
          />
        ))}
        {field(
          'description',
          (control) => (
            <textarea
              {...control}
              name="description"
              className="input"
              dir="auto"
              rows={4}
              value={content.description}
              onChange={({ target }) => onChange({ description: target.value })}
            />
          ),
          counted(content.description, importLimits.description),
          true,
        )}
      </section>
      <section className={styles.part} aria-label={texts.parts.times}>
        <h2 className={styles.heading}>{texts.parts.times}</h2>
        {moment('startsAt', hasOpened ? texts.startLocked : null)}
        {moment('endsAt', poll.state === 'closed' ? texts.endLocked : null)}
        {field(
          'protection',
          (control) => (
            <ProtectionSelect
              {...control}
              name="protection"
              disabled={poll.state === 'closed'}
              value={content.protection}
              offered={poll.protections}
              isRefused={(level) => poll.hasVotes && isLower(level)}
              onChange={(protection) => onChange({ protection })}
            />
          ),
          undefined,
          true,
        )}
        {!hasOpened && (
          <label className={`${adminStyles.option} ${styles.wide}`}>
            <input
              type="checkbox"
              checked={content.publishBallots}
              onChange={({ target }) => onChange({ publishBallots: target.checked })}
            />
            <span>
              {texts.fields.publishBallots}
              <span className="muted small">{texts.hints.publishBallots}</span>
            </span>
          </label>
        )}
      </section>
      <section className={styles.part} aria-label={texts.parts.listing}>
        <h2 className={styles.heading}>{texts.parts.listing}</h2>
        {optional('category')}
        {optional('author')}
        {optional('series')}
        {optional('seriesNote')}
        {lines('tags', content.tags.join('\n'), (value) => onChange({ tags: value === '' ? [] : value.split('\n') }))}
      </section>
      <section className={styles.part} aria-label={texts.parts.report}>
        <h2 className={styles.heading}>{texts.parts.report}</h2>
        {optional('summary', 3)}
        {optional('analysis', 8)}
        {optional('methodologyNotes', 3)}
        {lines(
          'countryBreakdown',
          countryLines,
          (value) => {
            onCountryLines(value);
            onChange({ countryBreakdown: [...countriesOf(value).countries] });
          },
          true,
        )}
        <fieldset className={`${styles.wide} ${styles.provenance}`}>
          <legend>{texts.fields.provenance}</legend>
          <p className="muted small">{texts.hints.provenance}</p>
          {provenanceFields.map((name) => (
            <Field
              key={name}
              id={`${id}-provenance-${name}`}
              label={texts.provenance[name]}
              note={texts.optional}
              problem={problems.get(`provenance.${name}`)}
            >
              {(control) => (
                <input
                  {...control}
                  name={`provenance.${name}`}
                  className="input"
                  dir="auto"
                  value={content.provenance[name] ?? ''}
                  onChange={({ target }) => onChange({ provenance: { ...content.provenance, [name]: target.value } })}
                />
              )}
            </Field>
          ))}
        </fieldset>
      </section>
    </div>
  );
}

function Options({ id, poll, content, problems, onChange }: Omit<PollFormProps, 'countryLines' | 'onCountryLines'>) {
  const { options } = content;
  if (poll.hasVotes)
    return (
      <fieldset className={`${adminStyles.options} ${styles.wide}`}>
        <legend>{texts.fields.options}</legend>
        <p className="muted small">{texts.options.locked}</p>
        <ol className={`${adminStyles.bullets} ${adminStyles.kept}`}>
          {options.map((option) => (
            <li key={option.id} dir="auto">
              {option.text}
            </li>
          ))}
        </ol>
      </fieldset>
    );
  return (
    <OptionList
      id={`${id}-option`}
      className={styles.wide}
      options={options.map((option) => ({ key: option.id, text: option.text }))}
      hint={texts.options.hint}
      min={importLimits.optionsMin}
      max={importLimits.options}
      problemOf={(field) => problems.get(field)}
      offered={limits.offeredOptions}
      newKey={(list) => String(Math.max(0, ...list.map(({ key }) => Number(key) || 0)) + 1)}
      onChange={(changed) => onChange({ options: changed.map(({ key, text }) => ({ id: key, text })) })}
    />
  );
}
