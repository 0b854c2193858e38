import * as limits from '#contract/limits.ts';
import { ballotMethods } from '#contract/vocabulary.ts';
import type { BallotMethod } from '#contract/vocabulary.ts';
import { Field } from '#site/ui/Field.tsx';
import { choiceTexts as texts } from '#texts/choices.ts';
import { writeInSettingTexts } from '#texts/write-ins.ts';
import styles from './CreatePoll.module.css';

/** What a vote chooses, as the forms of creators have it. */
export interface ChosenMethod {
  readonly method?: BallotMethod | undefined;
  /** Left out: one. */
  readonly minChoices?: number | undefined;
  /** Left out: as many as there are options. */
  readonly maxChoices?: number | undefined;
  /** Voters may write another answer, if a vote chooses one option; left out: no. */
  readonly writeIns?: boolean | undefined;
}

/** Whether voters may write another answer. */
export const takesWriteIns = ({ method = 'single', writeIns = false }: ChosenMethod): boolean =>
  writeIns && method === 'single';

/** The members of a request that say so. */
export const choiceBody = ({ method = 'single', minChoices = 1, maxChoices }: ChosenMethod) =>
  method === 'single' ? { method } : { method, minChoices, ...(maxChoices !== undefined && { maxChoices }) };

/** What the form has for a poll that exists. */
export const choiceOfPoll = (
  { method, minChoices, maxChoices, writeIns }: ChosenMethod,
  options: readonly unknown[],
): ChosenMethod =>
  method === undefined
    ? { ...(writeIns && { writeIns }) }
    : { method, minChoices, ...(maxChoices !== options.length && { maxChoices }) };

interface ChoiceFieldsProps {
  /** Prefix of the fields’ ids. */
  readonly id: string;
  readonly values: ChosenMethod;
  readonly change: (changes: ChosenMethod) => void;
  readonly problemOf: (field: string) => string | undefined;
}

/** Asks how many options a vote may choose. */
export function ChoiceFields({ id, values, change, problemOf }: ChoiceFieldsProps) {
  const { method = 'single', minChoices = 1, maxChoices } = values;
  const numbers = Array.from({ length: limits.communityOptionsMax }, (_, index) => index + 1);
  return (
    <>
      <Field
        id={`${id}-method`}
        className={styles.wide}
        label={texts.method}
        hint={texts.means[method]}
        problem={problemOf('method')}
      >
        {(control) => (
          <select
            {...control}
            className="input"
            name="method"
            value={method}
            onChange={({ target }) => {
              const chosen = ballotMethods.find((one) => one === target.value) ?? 'single';
              change(chosen === 'single' ? { method: chosen, ...noNumbers } : { method: chosen });
            }}
          >
            {ballotMethods.map((one) => (
              <option key={one} value={one}>
                {texts.methods[one]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {method !== 'single' && (
        <>
          <Field id={`${id}-least`} label={texts.least} problem={problemOf('minChoices')}>
            {(control) => (
              <select
                {...control}
                className="input"
                name="minChoices"
                value={minChoices}
                onChange={({ target }) => change({ minChoices: Number(target.value) })}
              >
                {numbers.map((number) => (
                  <option key={number}>{number}</option>
                ))}
              </select>
            )}
          </Field>
          <Field id={`${id}-most`} label={texts.most} problem={problemOf('maxChoices')}>
            {(control) => (
              <select
                {...control}
                className="input"
                name="maxChoices"
                value={maxChoices ?? ''}
                onChange={({ target }) =>
                  change({ maxChoices: target.value === '' ? undefined : Number(target.value) })
                }
              >
                <option value="">{texts.all}</option>
                {numbers.slice(1).map((number) => (
                  <option key={number}>{number}</option>
                ))}
              </select>
            )}
          </Field>
        </>
      )}
      <label className={`${styles.wide} ${styles.check}`}>
        <input
          type="checkbox"
          name="writeIns"
          checked={takesWriteIns(values)}
          disabled={method !== 'single'}
          onChange={({ target }) => change({ writeIns: target.checked })}
        />
        <span>
          {writeInSettingTexts.label}
          <span className={styles.hint}>
            {method === 'single' ? writeInSettingTexts.hint : writeInSettingTexts.onlySingle}
          </span>
        </span>
      </label>
    </>
  );
}

const noNumbers = { minChoices: undefined, maxChoices: undefined };
