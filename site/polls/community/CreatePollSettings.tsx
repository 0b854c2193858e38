import type { FieldError } from '#contract/error-codes.ts';
import { communityCategories, resultVisibilities, visibilities } from '#contract/vocabulary.ts';
import type { Protection } from '#contract/vocabulary.ts';
import type { FormState } from '#site/client/use-form.ts';
import { Field } from '#site/ui/Field.tsx';
import { readerZone } from '#site/ui/format.ts';
import { momentErrors, MomentField } from '#site/ui/MomentField.tsx';
import { OptionOrderSelect } from '#site/ui/OptionOrderSelect.tsx';
import { ProtectionSelect } from '#site/ui/ProtectionSelect.tsx';
import { createPollTexts as texts } from '#texts/community.ts';
import { optionOrderTexts } from '#texts/option-order.ts';
import { protectionTexts } from '#texts/protection.ts';
import styles from './CreatePoll.module.css';
import { resultsOf } from './create-poll-draft.ts';
import type { Draft } from './create-poll-draft.ts';

const timeFields = ['startsAt', 'endsAt'] as const;

const timeTexts = {
  startsAt: { label: texts.starts, hint: texts.startsHint },
  endsAt: { label: texts.ends, hint: texts.endsHint },
} as const;

interface CreatePollSettingsProps {
  /** Prefix of the fields’ ids. */
  readonly id: string;
  readonly form: FormState<Draft>;
  /** The levels of protection that this site offers. */
  readonly protections: readonly Protection[];
}

/** What a poll has by itself, folded up: the summary says who can open it and who sees the results. */
export function CreatePollSettings({ id, form, protections }: CreatePollSettingsProps) {
  const { values: draft, problemOf, change } = form;
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
              name="visibility"
              onChange={({ target }) => change({ visibility: visibilities.find((one) => one === target.value)! })}
            >
              {visibilities.map((visibility) => (
                <option key={visibility} value={visibility}>
                  {texts.visibilities[visibility]}
                </option>
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
              name="resultVisibility"
              onChange={({ target }) =>
                change({ resultVisibility: resultVisibilities.find((one) => one === target.value)! })
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
                name="protection"
                value={protection}
                offered={protections}
                onChange={(level) => change({ protection: level })}
              />
            )}
          </Field>
        )}
        <Field id={`${id}-order`} label={optionOrderTexts.label} hint={optionOrderTexts.hint}>
          {(control) => (
            <OptionOrderSelect
              {...control}
              name="optionOrder"
              value={draft.optionOrder ?? 'auto'}
              onChange={(optionOrder) => change({ optionOrder })}
            />
          )}
        </Field>
        <Field id={`${id}-category`} label={texts.category} note={texts.optional} problem={problemOf('category')}>
          {(control) => (
            <select
              {...control}
              className="input"
              value={draft.category}
              name="category"
              onChange={({ target }) => change({ category: target.value })}
            >
              <option value="">{texts.noCategory}</option>
              {communityCategories.map((category) => (
                <option key={category}>{category}</option>
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
              name={name}
              {...timeTexts[name]}
              note={texts.optional}
              problem={problemOf(name)}
              value={draft[name]}
              zone={readerZone()}
              isEnd={name === 'endsAt'}
              onChange={(value) => change({ [name]: value })}
            />
          ))}
        </fieldset>
        {draft.visibility === 'public' && resultVisibility !== 'creator' && (
          <label className={`${styles.wide} ${styles.check}`}>
            <input
              type="checkbox"
              checked={draft.publishBallots ?? true}
              onChange={({ target }) => change({ publishBallots: target.checked })}
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

/** Why the times can’t be used as they are. */
export const timeErrors = (form: HTMLFormElement, draft: Draft): FieldError[] =>
  timeFields.flatMap((name) =>
    momentErrors(form, { name, value: draft[name], label: timeTexts[name].label, zone: readerZone() }),
  );
