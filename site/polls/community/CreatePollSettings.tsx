import { communityCategories, resultVisibilities, visibilities } from '#contract/vocabulary.ts';
import type { Protection } from '#contract/vocabulary.ts';
import { Field } from '#site/ui/Field.tsx';
import { readerZone } from '#site/ui/format.ts';
import { hasBadInput, MomentField } from '#site/ui/MomentField.tsx';
import { ProtectionSelect } from '#site/ui/ProtectionSelect.tsx';
import { createPollTexts as texts } from '#texts/community.ts';
import { protectionTexts } from '#texts/protection.ts';
import { timeFieldTexts } from '#texts/time-field.ts';
import styles from './CreatePoll.module.css';
import { resultsOf } from './create-poll-draft.ts';
import type { DraftField, DraftProblems } from './create-poll-draft.ts';
import type { Draft } from './create-poll-storage.ts';

const timeFields = ['startsAt', 'endsAt'] as const;
type TimeField = (typeof timeFields)[number];

const timeTexts = {
  startsAt: { label: texts.starts, hint: texts.startsHint },
  endsAt: { label: texts.ends, hint: texts.endsHint },
} as const;

interface CreatePollSettingsProps {
  /** Prefix of the fields’ ids. */
  readonly id: string;
  readonly draft: Draft;
  /** The levels of protection that this site offers. */
  readonly protections: readonly Protection[];
  readonly problemOf: (field: DraftField) => string | undefined;
  readonly onChange: (changes: Partial<Draft>, field: DraftField) => void;
  /** `problem`: the browser’s own complaint about the field, or null. */
  readonly onBlur: (field: TimeField, problem: string | null) => void;
}

/** What a poll has by itself, folded up: the summary says who can open it and who sees the results. */
export function CreatePollSettings({ id, draft, protections, problemOf, onChange, onBlur }: CreatePollSettingsProps) {
  const resultVisibility = resultsOf(draft);
  const protection = draft.protection ?? 'browser';
  // What suits a private poll comes first.
  const results =
    draft.visibility === 'private'
      ? ['after-end' as const, ...resultVisibilities.filter((one) => one !== 'after-end')]
      : resultVisibilities;
  return (
    <details className={`fold ${styles.settings}`}>
      <summary className={styles.summary}>
        <span className={styles.legend}>{texts.settings}</span>
        <span className={styles.hint}>
          {texts.chosen(texts.visibilities[draft.visibility], texts.resultVisibilities[resultVisibility])}
        </span>
      </summary>
      <div className={styles.grid}>
        <Field id={`${id}-visibility`} label={texts.visibility} hint={texts.visibilityMeans[draft.visibility]}>
          {(control) => (
            <select
              {...control}
              className="input"
              value={draft.visibility}
              onChange={({ target }) =>
                onChange({ visibility: visibilities.find((one) => one === target.value)! }, 'visibility')
              }
            >
              {visibilities.map((visibility) => (
                <option key={visibility} value={visibility}>
                  {texts.visibilities[visibility]}
                </option>
              ))}
            </select>
          )}
        </Field>
        {draft.visibility !== 'private' && (
          <Field
            id={`${id}-protection`}
            label={protectionTexts.label}
            hint={protectionTexts.means[protection]}
            problem={problemOf('protection')}
          >
            {(control) => (
              <ProtectionSelect
                {...control}
                value={protection}
                offered={protections}
                onChange={(level) => onChange({ protection: level }, 'protection')}
              />
            )}
          </Field>
        )}
        <Field id={`${id}-category`} label={texts.category} note={texts.optional} problem={problemOf('category')}>
          {(control) => (
            <select
              {...control}
              className="input"
              value={draft.category}
              onChange={({ target }) => onChange({ category: target.value }, 'category')}
            >
              <option value="">{texts.noCategory}</option>
              {communityCategories.map((category) => (
                <option key={category}>{category}</option>
              ))}
            </select>
          )}
        </Field>
        <Field
          id={`${id}-results`}
          label={texts.results}
          hint={
            draft.visibility === 'private'
              ? `${texts.resultsMean[resultVisibility]} ${texts.watched}`
              : texts.resultsMean[resultVisibility]
          }
        >
          {(control) => (
            <select
              {...control}
              className="input"
              value={resultVisibility}
              onChange={({ target }) =>
                onChange(
                  { resultVisibility: resultVisibilities.find((one) => one === target.value)! },
                  'resultVisibility',
                )
              }
            >
              {results.map((one) => (
                <option key={one} value={one}>
                  {texts.resultVisibilities[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <fieldset className={`${styles.wide} ${styles.grid}`}>
          <legend className={`${styles.wide} ${styles.legend}`}>{texts.times}</legend>
          {timeFields.map((name) => (
            <MomentField
              key={name}
              id={`${id}-${name}`}
              {...timeTexts[name]}
              note={texts.optional}
              problem={problemOf(name)}
              value={draft[name]}
              zone={readerZone()}
              isEnd={name === 'endsAt'}
              onChange={(value) => onChange({ [name]: value }, name)}
              onBlur={(isIncomplete) => onBlur(name, isIncomplete ? incomplete(name) : null)}
            />
          ))}
        </fieldset>
        {draft.visibility === 'public' && resultVisibility !== 'creator' && (
          <label className={`${styles.wide} ${styles.check}`}>
            <input
              type="checkbox"
              checked={draft.publishBallots ?? true}
              onChange={({ target }) => onChange({ publishBallots: target.checked }, 'publishBallots')}
            />
            <span>
              {texts.publishBallots}
              <span className={styles.hint}>{texts.publishBallotsHint}</span>
            </span>
          </label>
        )}
      </div>
    </details>
  );
}

const incomplete = (name: TimeField) => timeFieldTexts.incomplete(timeTexts[name].label);

/** The date fields of the form with these ids that are only partly filled in. */
export function incompleteTimes(form: HTMLFormElement, id: string): DraftProblems {
  return new Map(timeFields.flatMap((name) => (hasBadInput(form, `${id}-${name}`) ? [[name, incomplete(name)]] : [])));
}
