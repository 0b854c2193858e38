import { pollListTexts as texts } from '#texts/poll-list.ts';
import styles from './PollList.module.css';

interface FilterField {
  /** Of the parameter in the address. */
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** Values with what they are called; an unknown value of the address is not offered again. */
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly unknown?: string;
}

interface ListFilterProps {
  /** Path of the list. */
  readonly action: string;
  readonly fields: readonly FilterField[];
  /** Parameters that stay as they are. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** Called with the query string of what is chosen, on page 1. */
  readonly onChange: (search: string) => void;
}

/** What a list shows, and in which order. A GET form, so it works without scripts. */
export function ListFilter({ action, fields, hidden = {}, onChange }: ListFilterProps) {
  return (
    <form className={`no-print ${styles.filter}`} action={action} method="get" aria-label={texts.filters} data-touch>
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {fields.map(({ name, label, value, options, unknown }) => (
        <label key={name} className="field">
          <span className="field__label">{label}</span>
          <select
            className="input"
            name={name}
            value={value}
            onChange={({ target }) => {
              const chosen = fields.map((field) => [field.name, field.name === name ? target.value : field.value]);
              onChange(`?${new URLSearchParams([...Object.entries(hidden), ...chosen])}`);
            }}
          >
            {unknown !== undefined && options.every(([known]) => known !== value) && (
              <option value={value} disabled hidden>
                {unknown}
              </option>
            )}
            {options.map(([option, text]) => (
              <option key={option} value={option}>
                {text}
              </option>
            ))}
          </select>
        </label>
      ))}
      <button className="button no-js-only" type="submit">
        {texts.apply}
      </button>
    </form>
  );
}
