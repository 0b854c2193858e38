import { useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import * as limits from '#contract/limits.ts';
import { isBlank } from '#domain/visible-text.ts';
import { Field } from '#site/ui/Field.tsx';
import { createPollTexts as texts } from '#texts/community.ts';
import styles from './CreatePoll.module.css';
import { optionField } from './create-poll-draft.ts';
import type { DraftOption, OptionField } from './create-poll-draft.ts';

interface CreatePollOptionsProps {
  /** Begins the ids of the fields. */
  readonly id: string;
  readonly options: readonly DraftOption[];
  readonly problem: string | undefined;
  readonly problemOf: (field: OptionField) => string | undefined;
  /** `field`: the one option that was written in. */
  readonly onChange: (options: readonly DraftOption[], field: 'options' | OptionField) => void;
  readonly onLeave: (field: OptionField) => void;
}

type Part = 'text' | 'up' | 'down';

/** The options: written, added, removed, and moved with buttons, so that every hand can order them. */
export function CreatePollOptions({ id, options, problem, problemOf, onChange, onLeave }: CreatePollOptionsProps) {
  const parts = useRef(new Map<string, HTMLElement>());
  const focusNext = useRef<string>(null);
  const [news, setNews] = useState('');
  const min = limits.communityOptionsMin;
  const max = limits.communityOptionsMax;

  // Moved, added and removed rows would lose the focus: it goes where the hand goes on.
  useLayoutEffect(() => {
    if (focusNext.current === null) return;
    parts.current.get(focusNext.current)?.focus();
    focusNext.current = null;
  });

  const partRef = (part: Part, key: number) => (element: HTMLElement | null) => {
    const name = `${part} ${key}`;
    if (element === null) parts.current.delete(name);
    else parts.current.set(name, element);
  };
  const focus = (part: Part, option: DraftOption | undefined) => {
    focusNext.current = option ? `${part} ${option.key}` : null;
  };

  const add = () => {
    const added = { key: Math.max(...options.map(({ key }) => key)) + 1, text: '' };
    focus('text', added);
    setNews(texts.added(options.length + 1));
    onChange([...options, added], 'options');
  };
  const remove = (index: number) => {
    const rest = options.filter((_, place) => place !== index);
    focus('text', rest[Math.min(index, rest.length - 1)]);
    setNews(texts.removed(index + 1));
    onChange(rest, 'options');
  };
  const move = (index: number, to: number) => {
    const moved = options[index];
    if (moved === undefined || to < 0 || to >= options.length) return;
    // At the end of the way the button is no more; the other direction is.
    const up = to < index;
    focus(up ? (to === 0 ? 'down' : 'up') : to === options.length - 1 ? 'up' : 'down', moved);
    setNews(texts.moved(index + 1, to + 1));
    onChange(options.with(index, options[to]!).with(to, moved), 'options');
  };
  const handleKey = (event: KeyboardEvent, index: number) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    // Enter goes on to the next option; a half-written poll is not sent by it.
    event.preventDefault();
    const next = options[index + 1];
    if (next) parts.current.get(`text ${next.key}`)?.focus();
    else if (options.length < max && !isBlank(options[index]?.text ?? '')) add();
  };

  return (
    <fieldset className={styles.options} aria-describedby={`${id}-hint`}>
      <legend className={styles.legend}>{texts.options}</legend>
      <p id={`${id}-hint`} className={styles.hint}>
        {texts.optionsHint}
      </p>
      {problem !== undefined && <p className={styles.problem}>{problem}</p>}
      <ol className={styles.optionList}>
        {options.map((option, index) => {
          const field = optionField(option);
          const position = index + 1;
          return (
            <li key={option.key} className={styles.option}>
              <Field
                id={`${id}-${option.key}`}
                label={texts.option(position)}
                problem={problemOf(field)}
                className={styles.optionField}
              >
                {(control) => (
                  <input
                    {...control}
                    ref={partRef('text', option.key)}
                    className="input"
                    dir="auto"
                    autoComplete="off"
                    required={index < min}
                    value={option.text}
                    onChange={({ target }) => onChange(options.with(index, { ...option, text: target.value }), field)}
                    onBlur={() => onLeave(field)}
                    onKeyDown={(event) => handleKey(event, index)}
                  />
                )}
              </Field>
              <div className={styles.tools}>
                <button
                  ref={partRef('up', option.key)}
                  type="button"
                  className={styles.tool}
                  aria-label={texts.moveUp(position)}
                  disabled={index === 0}
                  onClick={() => move(index, index - 1)}
                >
                  <Icon path="M10 16V4M4.5 9.5 10 4l5.5 5.5" />
                </button>
                <button
                  ref={partRef('down', option.key)}
                  type="button"
                  className={styles.tool}
                  aria-label={texts.moveDown(position)}
                  disabled={index === options.length - 1}
                  onClick={() => move(index, index + 1)}
                >
                  <Icon path="M10 4v12M4.5 10.5 10 16l5.5-5.5" />
                </button>
                {options.length > min && (
                  <button
                    type="button"
                    className={styles.tool}
                    aria-label={texts.remove(position)}
                    onClick={() => remove(index)}
                  >
                    <Icon path="m5 5 10 10M15 5 5 15" />
                  </button>
                )}
              </div>
            </li>
          );
        })}
      </ol>
      <div className="row">
        {options.length < max ? (
          <button type="button" className="button button--small" onClick={add}>
            {texts.addOption}
          </button>
        ) : (
          <p className={styles.hint}>{texts.optionsFull}</p>
        )}
      </div>
      <p className="visually-hidden" role="status">
        {news}
      </p>
    </fieldset>
  );
}

function Icon({ path }: { readonly path: string }) {
  return (
    <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
      <path d={path} fill="none" stroke="currentColor" strokeWidth="1.75" />
    </svg>
  );
}
