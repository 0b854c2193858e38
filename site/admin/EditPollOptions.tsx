import type { Poll } from '#contract/poll.ts';
import { Field } from '#site/ui/Field.tsx';
import { editPollTexts as texts } from '#texts/admin-polls.ts';
import own from './Managing.module.css';

interface EditPollOptionsProps {
  /** Begins the ids of the fields. */
  readonly id: string;
  readonly poll: Poll;
  /** Texts by option id. */
  readonly written: Readonly<Record<string, string>>;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (written: Readonly<Record<string, string>>) => void;
}

/** The words of the options: fields as long as there is no vote, afterwards to be read only. */
export function EditPollOptions({ id, poll, written, problems, onChange }: EditPollOptionsProps) {
  const stand = poll.totalVotes > 0;
  return (
    <fieldset className={own.options}>
      <legend>{texts.options}</legend>
      <p className="muted small">{stand ? texts.optionsStand : texts.optionsFree}</p>
      {stand ? (
        <ol className={own.kept}>
          {poll.options.map((option) => (
            <li key={option.id} dir="auto">
              {option.text}
            </li>
          ))}
        </ol>
      ) : (
        poll.options.map((option, place) => (
          <Field
            key={option.id}
            id={`${id}-option-${place}`}
            label={texts.option(place + 1)}
            problem={problems.get(`option ${option.id}`)}
          >
            {(control) => (
              <input
                {...control}
                className="input"
                dir="auto"
                value={written[option.id] ?? ''}
                onChange={({ target }) => onChange({ ...written, [option.id]: target.value })}
              />
            )}
          </Field>
        ))
      )}
    </fieldset>
  );
}
