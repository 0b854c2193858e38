import type { KeyboardEvent, RefObject } from 'react';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { mentionBefore } from '#domain/comment-text.ts';
import type { FieldControl } from '#site/ui/Field.tsx';
import { MemberName } from '#site/ui/MemberName.tsx';
import { commentTexts } from '#texts/comments.ts';
import styles from './Comments.module.css';
import type { Person } from './discussion.ts';

const texts = commentTexts.mention;
const mostShown = 6;

interface MentionBoxProps {
  readonly control: FieldControl;
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly people: readonly Person[];
  readonly value: string;
  readonly placeholder?: string | undefined;
  readonly onWrite: (text: string) => void;
}

/** A box to write in. After @, it lists the people of the discussion whose username or name begins so. */
export function MentionBox({ control, box, people, value, placeholder, onWrite }: MentionBoxProps) {
  const listId = useId();
  /** What follows the @ before the caret; undefined: nobody is being mentioned, or the list was closed. */
  const [typed, setTyped] = useState<string>();
  const [place, setPlace] = useState(0);
  const found = typed === undefined ? [] : peopleFor(typed, people);
  const open = found.length > 0;
  // The people of a discussion change while it is open.
  const chosen = Math.min(place, found.length - 1);
  const list = useRef<HTMLUListElement>(null);
  /** Where the caret belongs once a username is written. */
  const caret = useRef<number>(null);
  useLayoutEffect(() => {
    if (caret.current !== null) box.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [box, value]);
  // The keyboard of a phone leaves little of the page.
  useEffect(() => {
    if (open) list.current?.scrollIntoView({ block: 'nearest' });
  }, [open, found.length]);

  const lookAt = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) => {
    const next = selectionStart === selectionEnd ? mentionBefore(value.slice(0, selectionStart)) : undefined;
    if (next !== typed) setPlace(0);
    setTyped(next);
  };
  const complete = ({ username }: Person) => {
    const target = box.current;
    if (!target || typed === undefined) return;
    const end = target.selectionStart;
    const before = `${target.value.slice(0, end - typed.length)}${username} `;
    caret.current = before.length;
    setTyped(undefined);
    onWrite(before + target.value.slice(end).replace(/^ /, ''));
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (!open || event.nativeEvent.isComposing) return;
    const { key, shiftKey } = event;
    if (key === 'ArrowDown') setPlace((chosen + 1) % found.length);
    else if (key === 'ArrowUp') setPlace((chosen + found.length - 1) % found.length);
    else if ((key === 'Enter' || key === 'Tab') && !shiftKey) complete(found[chosen]!);
    else if (key === 'Escape') setTyped(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className={styles.mentioning}>
      <textarea
        {...control}
        ref={box}
        name="content"
        className={`input ${styles.box}`}
        rows={3}
        dir="auto"
        placeholder={placeholder}
        value={value}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={open ? listId : undefined}
        aria-activedescendant={open ? `${listId}-${chosen}` : undefined}
        onChange={({ target }) => {
          lookAt(target);
          onWrite(target.value);
        }}
        onSelect={({ currentTarget }) => lookAt(currentTarget)}
        onKeyDown={handleKeyDown}
        onBlur={() => setTyped(undefined)}
      />
      <span className="visually-hidden" role="status">
        {open ? texts.found(found.length) : ''}
      </span>
      {open && (
        <ul ref={list} id={listId} className={styles.people} role="listbox" aria-label={texts.list}>
          {found.map((person, index) => (
            // The keys of the box choose.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <li
              key={person.username}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === chosen}
              // The box keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => complete(person)}
            >
              <MemberName member={person} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The people whose username or name begins with what is typed, the exact username first; nobody once only it is left. */
function peopleFor(typed: string, people: readonly Person[]): readonly Person[] {
  const start = folded(typed);
  const exact = people.filter(({ username }) => folded(username) === start);
  const others = people.filter(
    (person) =>
      !exact.includes(person) &&
      [person.username, ...person.name.split(/\s+/)].some((word) => folded(word).startsWith(start)),
  );
  return others.length === 0 ? [] : [...exact, ...others].slice(0, mostShown);
}

/** A word without what people leave out when they type: capitals and accents. */
function folded(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
