import type { KeyboardEvent } from 'react';
import { useLayoutEffect, useRef, useState } from 'react';
import { isBlank } from '#domain/visible-text.ts';
import { optionListTexts as texts } from '#texts/option-list.ts';
import { Field } from './Field.tsx';
import styles from './OptionList.module.css';

/** An option being edited; the key identifies it while it moves. */
interface EditedOption<K> {
  readonly key: K;
  readonly text: string;
}

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
  readonly problem: string | undefined;
  readonly problemOf: (key: K) => string | undefined;
  /** Next to the label of an option. */
  readonly noteOf?: (index: number) => string | undefined;
  /** A key for a new option. */
  readonly newKey: () => K;
  /** `key`: the edited option, or null when the list itself changed. */
  readonly onChange: (options: readonly EditedOption<K>[], key: K | null) => void;
  readonly onBlur?: (key: K) => void;
}

type Control = 'text' | 'up' | 'down';

/** The options of a poll: edit, add, remove, and reorder by dragging or with buttons. */
export function OptionList<K extends string | number>(props: OptionListProps<K>) {
  const {
    id,
    className = '',
    options,
    hint,
    min,
    max,
    full,
    problem,
    problemOf,
    noteOf,
    newKey,
    onChange,
    onBlur,
  } = props;
  const controls = useRef(new Map<string, HTMLElement>());
  const focusNext = useRef<string>(null);
  const [announcement, setAnnouncement] = useState('');
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

  const add = () => {
    const added = { key: newKey(), text: '' };
    focus('text', added);
    setAnnouncement(texts.added(options.length + 1));
    onChange([...options, added], null);
  };
  const remove = (index: number) => {
    const rest = options.filter((_, position) => position !== index);
    focus('text', rest[Math.min(index, rest.length - 1)]);
    setAnnouncement(texts.removed(index + 1));
    onChange(rest, null);
  };
  const move = (index: number, to: number) => {
    const moved = options[index];
    if (moved === undefined || to < 0 || to >= options.length || to === index) return;
    setAnnouncement(texts.moved(index + 1, to + 1));
    onChange(options.toSpliced(index, 1).toSpliced(to, 0, moved), null);
  };
  const moveBy = (index: number, by: 1 | -1) => {
    const to = index + by;
    // At either end only the button for the other direction is enabled.
    focus(by < 0 ? (to === 0 ? 'down' : 'up') : to === options.length - 1 ? 'up' : 'down', options[index]);
    move(index, to);
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
    <fieldset className={`${styles.options} ${className}`.trim()} aria-describedby={`${id}-hint`}>
      <legend className={styles.legend}>{texts.heading}</legend>
      <p id={`${id}-hint`} className={styles.hint}>
        {hint}
      </p>
      {problem !== undefined && <p className={styles.problem}>{problem}</p>}
      <ol className={styles.list}>
        {options.map((option, index) => {
          const position = index + 1;
          const note = noteOf?.(index);
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
                {...(note !== undefined && { note })}
                problem={problemOf(option.key)}
                className={styles.field}
              >
                {(control) => (
                  <input
                    {...control}
                    ref={controlRef('text', option.key)}
                    className="input"
                    dir="auto"
                    autoComplete="off"
                    required={index < min}
                    value={option.text}
                    onChange={({ target }) =>
                      onChange(options.with(index, { ...option, text: target.value }), option.key)
                    }
                    onBlur={() => onBlur?.(option.key)}
                    onKeyDown={(event) => handleKey(event, index)}
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
      <p className="visually-hidden" role="status">
        {announcement}
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
