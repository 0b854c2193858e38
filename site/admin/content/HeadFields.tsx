import { useId, useState } from 'react';
import type { InputHTMLAttributes } from 'react';
import type { ContentEntry, ContentHead, ContentProblems } from '#api/content/content.contract.ts';
import { useAdminQuery } from '#site/admin/AdminList.tsx';
import styles from '#site/admin/Admin.module.css';
import { Field } from '#site/ui/Field.tsx';
import { contentTexts as texts } from '#texts/content-editor.ts';

type TextName = Exclude<keyof ContentHead, 'tags' | 'featured' | 'cards'>;

interface TextFieldRow {
  readonly name: TextName;
  readonly rows?: number;
  readonly type?: 'date';
}

const page: readonly TextFieldRow[] = [{ name: 'title' }, { name: 'description', rows: 2 }];
/** The fields of each kind of text, besides those with a form of their own. */
const fieldsOf = ({ folder }: ContentEntry): readonly TextFieldRow[] => {
  if (folder === 'legal') return [...page, { name: 'lastUpdated', type: 'date' }];
  if (folder === 'pages') return [...page, { name: 'lede', rows: 2 }];
  return [
    ...([{ name: 'title' }, { name: 'excerpt', rows: 2 }, { name: 'author' }] as const),
    ...([
      { name: 'publishedAt', type: 'date' },
      { name: 'updatedAt', type: 'date' },
    ] as const),
  ];
};

/** The id of the control of a field of the front matter, or of the text for null; `id` is the editor’s. */
export const fieldId = (id: string, field: string | null): string => `${id}-${field ?? 'text'}`;

interface HeadFieldsProps {
  readonly id: string;
  readonly entry: ContentEntry;
  readonly head: ContentHead;
  readonly problems: ContentProblems;
  readonly onChange: (head: ContentHead) => void;
}

/** The front matter of a text as form fields. */
export function HeadFields({ id, entry, head, problems, onChange }: HeadFieldsProps) {
  const inForm = (name: string) => ({
    id: fieldId(id, name),
    label: texts.labels[name] ?? '',
    hint: texts.hints[name],
    problem: problems.find(({ field }) => field === name)?.message,
  });
  const { cards = [], category = '', tags = [] } = head;
  const changeCard = (place: number, part: { readonly title?: string; readonly text?: string }) =>
    onChange({ ...head, cards: cards.map((card, at) => (at === place ? { ...card, ...part } : card)) });
  return (
    <>
      {fieldsOf(entry).map(({ name, ...row }) => (
        <HeadField
          key={name}
          {...{ ...inForm(name), ...row }}
          value={head[name] ?? ''}
          onChange={(value) => onChange({ ...head, [name]: value })}
        />
      ))}
      {entry.folder === 'blog' && (
        <>
          <Category
            {...inForm('category')}
            value={category}
            onChange={(value) => onChange({ ...head, category: value })}
          />
          <Tags {...{ ...inForm('tags'), tags }} onChange={(changed) => onChange({ ...head, tags: changed })} />
          <label className={styles.option}>
            <input
              type="checkbox"
              checked={head.featured ?? false}
              onChange={({ target }) => onChange({ ...head, featured: target.checked })}
            />
            <span>
              {texts.labels.featured}
              <span className="muted small">{texts.featuredHint}</span>
            </span>
          </label>
        </>
      )}
      {entry.name === 'about' &&
        entry.folder === 'pages' &&
        cards.map((card, place) => (
          <div key={place} className={styles.form}>
            <HeadField
              {...inForm(`cards.${place + 1}.title`)}
              label={texts.cardTitle(place + 1)}
              value={card.title}
              onChange={(title) => changeCard(place, { title })}
            />
            <HeadField
              {...inForm(`cards.${place + 1}.text`)}
              label={texts.cardText(place + 1)}
              rows={3}
              value={card.text}
              onChange={(text) => changeCard(place, { text })}
            />
          </div>
        ))}
    </>
  );
}

interface HeadFieldProps extends Pick<InputHTMLAttributes<HTMLInputElement>, 'type' | 'list'> {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem: string | undefined;
  readonly value: string;
  /** Of several lines. */
  readonly rows?: number;
  readonly onChange: (value: string) => void;
}

function HeadField({ id, label, hint, problem, value, rows, onChange, ...input }: HeadFieldProps) {
  const shared = { value, className: 'input', dir: 'auto' } as const;
  return (
    <Field {...{ id, label, hint, problem }}>
      {(control) =>
        rows === undefined ? (
          <input {...{ ...control, ...shared, ...input }} onChange={({ target }) => onChange(target.value)} />
        ) : (
          <textarea {...{ ...control, ...shared, rows }} onChange={({ target }) => onChange(target.value)} />
        )
      }
    </Field>
  );
}

/** The category of an article, with those that others have. */
function Category(field: Omit<HeadFieldProps, 'list'>) {
  const { data } = useAdminQuery('contentList');
  const known = useId();
  return (
    <>
      <HeadField {...field} list={known} />
      <datalist id={known}>
        {data?.categories.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

interface TagsProps extends Omit<HeadFieldProps, 'value' | 'onChange'> {
  readonly tags: readonly string[];
  readonly onChange: (tags: string[]) => void;
}

/** Tags with commas between them; what was typed stays as it is while it means the same tags. */
function Tags({ tags, onChange, ...field }: TagsProps) {
  const [typed, setTyped] = useState(tags.join(', '));
  return (
    <HeadField
      {...field}
      value={tagsIn(typed).join() === tags.join() ? typed : tags.join(', ')}
      onChange={(text) => {
        setTyped(text);
        onChange(tagsIn(text));
      }}
    />
  );
}

/** The tags in a list with commas. */
export const tagsIn = (typed: string): string[] =>
  typed
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
