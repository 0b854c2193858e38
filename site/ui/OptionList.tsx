import type { ClipboardEvent, KeyboardEvent } from 'react';
import { useLayoutEffect, useRef, useState } from 'react';
import { pastedOptions, withTexts } from '#domain/pasted-options.ts';
import type { EditedOption } from '#domain/pasted-options.ts';
import { localDayOf, shiftDay } from '#domain/time-zone.ts';
import { isBlank } from '#domain/visible-text.ts';
import { optionListTexts as texts } from '#texts/option-list.ts';
import { Field } from './Field.tsx';
import { readerZone } from './format.ts';
import styles from './OptionList.module.css';

interface OptionListProps<K extends string | number> {
  /** Prefix of the fields’ ids. */
  readonly id: string;
  readonly className?: string | undefined;
  readonly options: readonly EditedOption<K>[];
  readonly hint: string;
  /** The fewest and the most options, and what to say instead of offering more. */
  readonly min: number;
  readonly max: number;
  readonly full?: string;
  /** Of the list, named `options`, and of the field of an option, see {@link optionFieldOf}. */
  readonly problemOf: (field: string) => string | undefined;
  /** How many of the options people can choose from; by default all. */
  readonly offered?: number;
  /** A key that none of these options has. */
  readonly newKey: (options: readonly EditedOption<K>[]) => K;
  readonly onChange: (options: readonly EditedOption<K>[]) => void;
}

/** The name of the field of an option. */
export const optionField = ({ key }: { readonly key: string | number }) => `option-${key}`;

/** The name of the field with a part of what is sent, such as `options.1.text`; `sent`: the options in it. */
export function optionFieldOf(part: string, sent: readonly { readonly key: string | number }[]): string {
  const [list, place] = part.split('.');
  const option = list === 'options' ? sent[Number(place)] : undefined;
  return option ? optionField(option) : part;
}

type Control = 'text' | 'up' | 'down';

const dayName = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' });

/** Lists of options to start with, where people can choose from `offered`; the dates are the next days. */
function templatesFor(offered: number) {
  const today = localDayOf(Date.now(), readerZone());
  const days = Array.from({ length: Math.min(offered, 7) }, (_, day) => Date.parse(shiftDay(today, day + 1)));
  return [
    { name: texts.yesNo, options: texts.yesNoOptions },
    { name: texts.agree, options: offered < 5 ? texts.agreeOptions.slice(1, -1) : texts.agreeOptions },
    { name: texts.dates, options: days.map((day) => dayName.format(day)) },
  ];
}

/** The options of a poll: edit, add, paste a list, remove, and reorder by dragging or with buttons. */
export function OptionList<K extends string | number>(props: OptionListProps<K>) {
  const { id, className = '', options, hint, min, max, full, problemOf, offered = max, newKey, onChange } = props;
  const problem = problemOf('options');
  const controls = useRef(new Map<string, HTMLElement>());
  const focusNext = useRef<string>(null);
  const [notice, setNotice] = useState({ text: '', isShown: false });
  const [template, setTemplate] = useState('');
  const [dragged, setDragged] = useState<K | null>(null);

  // Changed rows would lose the focus: restore it where editing continues.
  useLayoutEffect(() => {
    if (focusNext.current === null) return;
    controls.current.get(focusNext.current)?.focus();
    focusNext.current = null;
  });

  const controlRef = (control: Control, key: K) => (element: HTMLElement | null) => {
    const name = `${control} ${key}`;
    if (element === null) controls.current.delete(name);
    else controls.current.set(name, element);
  };
  const focus = (control: Control, option: EditedOption<K> | undefined) => {
    focusNext.current = option ? `${control} ${option.key}` : null;
  };

  const announce = (text: string, isShown = false) => setNotice({ text, isShown });

  const add = () => {
    const added = { key: newKey(options), text: '' };
    focus('text', added);
    announce(texts.added(options.length + 1));
    onChange([...options, added]);
  };
  const remove = (index: number) => {
    const rest = options.filter((_, position) => position !== index);
    focus('text', rest[Math.min(index, rest.length - 1)]);
    announce(texts.removed(index + 1));
    onChange(rest);
  };
  const move = (index: number, to: number) => {
    const moved = options[index];
    if (moved === undefined || to < 0 || to >= options.length || to === index) return;
    announce(texts.moved(index + 1, to + 1));
    onChange(options.toSpliced(index, 1).toSpliced(to, 0, moved));
  };
  const moveBy = (index: number, by: 1 | -1) => {
    const to = index + by;
    // At either end only the button for the other direction is enabled.
    focus(by < 0 ? (to === 0 ? 'down' : 'up') : to === options.length - 1 ? 'up' : 'down', options[index]);
    move(index, to);
  };
  const fill = (current: typeof options, at: number, list: readonly string[]) => {
    const { options: filled, leftOut } = withTexts(current, at, list, { max, newKey });
    announce(texts.filled(list.length - leftOut, leftOut, max), leftOut > 0);
    onChange(filled);
    return filled;
  };
  const handlePaste = (event: ClipboardEvent<HTMLInputElement>, index: number) => {
    const list = pastedOptions(event.clipboardData.getData('text/plain'));
    if (list === null) return;
    event.preventDefault();
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    const rest = value.slice(0, selectionStart ?? 0) + value.slice(selectionEnd ?? 0);
    const filled = fill(options.with(index, { ...options[index]!, text: rest }), index, list);
    focus(
      'text',
      filled.findLast(({ text }) => list.includes(text)),
    );
  };
  const handleKey = (event: KeyboardEvent, index: number) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    // Enter moves to the next option and never submits an unfinished poll.
    event.preventDefault();
    const next = options[index + 1];
    if (next) controls.current.get(`text ${next.key}`)?.focus();
    else if (options.length < max && !isBlank(options[index]?.text ?? '')) add();
  };

  return (
    <fieldset name="options" className={`${styles.options} ${className}`.trim()} aria-describedby={`${id}-hint`}>
      <legend className={styles.legend}>{texts.heading}</legend>
      <p id={`${id}-hint`} className={styles.hint}>
        {hint} {texts.hint}
      </p>
      {problem !== undefined && <p className={styles.problem}>{problem}</p>}
      <ol className={styles.list}>
        {options.map((option, index) => {
          const position = index + 1;
          return (
            <li
              key={option.key}
              className={`${styles.option} ${option.key === dragged ? styles.dragged : ''}`.trim()}
              onDragOver={(event) => {
                if (dragged === null) return;
                event.preventDefault();
                move(
                  options.findIndex(({ key }) => key === dragged),
                  index,
                );
              }}
            >
              <Field
                id={`${id}-${option.key}`}
                label={texts.option(position)}
                {...(index >= offered && { note: texts.notOffered })}
                problem={problemOf(optionField(option))}
                className={styles.field}
              >
                {(control) => (
                  <input
                    {...control}
                    ref={controlRef('text', option.key)}
                    name={optionField(option)}
                    className="input"
                    dir="auto"
                    autoComplete="off"
                    required={index < min}
                    value={option.text}
                    onChange={({ target }) => onChange(options.with(index, { ...option, text: target.value }))}
                    onKeyDown={(event) => handleKey(event, index)}
                    onPaste={(event) => handlePaste(event, index)}
                  />
                )}
              </Field>
              <div className={styles.tools}>
                {/* The buttons do the same for keyboards and touch. */}
                <span
                  className={styles.grip}
                  title={texts.drag}
                  aria-hidden="true"
                  draggable
                  onDragStart={(event) => {
                    event.dataTransfer.effectAllowed = 'move';
                    setDragged(option.key);
                  }}
                  onDragEnd={() => setDragged(null)}
                >
                  <Icon path="M7 4v.01M13 4v.01M7 10v.01M13 10v.01M7 16v.01M13 16v.01" />
                </span>
                <button
                  ref={controlRef('up', option.key)}
                  type="button"
                  className={styles.tool}
                  aria-label={texts.moveUp(position)}
                  disabled={index === 0}
                  onClick={() => moveBy(index, -1)}
                >
                  <Icon path="M10 16V4M4.5 9.5 10 4l5.5 5.5" />
                </button>
                <button
                  ref={controlRef('down', option.key)}
                  type="button"
                  className={styles.tool}
                  aria-label={texts.moveDown(position)}
                  disabled={index === options.length - 1}
                  onClick={() => moveBy(index, 1)}
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
          full !== undefined && <p className={styles.hint}>{full}</p>
        )}
      </div>
      {[template, options.map(() => '').join('\n')].includes(options.map(({ text }) => text.trim()).join('\n')) && (
        <div className="row" role="group" aria-labelledby={`${id}-templates`}>
          <span id={`${id}-templates`} className={styles.hint}>
            {texts.templates}
          </span>
          {templatesFor(offered).map(({ name, options: list }) => (
            <button
              key={name}
              type="button"
              className="button button--small"
              onClick={() => {
                setTemplate(list.join('\n'));
                fill(
                  options.map(({ key }) => ({ key, text: '' })),
                  0,
                  list,
                );
              }}
            >
              {name}
            </button>
          ))}
        </div>
      )}
      <p className={notice.isShown ? styles.hint : 'visually-hidden'} role="status">
        {notice.text}
      </p>
    </fieldset>
  );
}

function Icon({ path }: { readonly path: string }) {
  return (
    <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
      <path d={path} fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
    </svg>
  );
}
