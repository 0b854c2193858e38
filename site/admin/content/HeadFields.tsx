import { useQuery } from '@tanstack/react-query';
import { Fragment, useId, useState } from 'react';
import type { ContentEntry, ContentHead, ContentProblems } from '#contract/content.ts';
import listStyles from '#site/admin/AdminLists.module.css';
import { adminKey, callAdmin } from '#site/admin/admin-session.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Field } from '#site/ui/Field.tsx';
import type { FieldControl } from '#site/ui/Field.tsx';
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
  const messageOf = (name: string) => problems.find(({ field }) => field === name)?.message;
  const control =
    ({ name, rows, type }: TextFieldRow) =>
    (props: FieldControl) => {
      const shared = { ...props, className: 'input', dir: 'auto', value: head[name] ?? '' } as const;
      const change = (value: string) => onChange({ ...head, [name]: value });
      return rows === undefined ? (
        <input {...shared} type={type ?? 'text'} onChange={({ target }) => change(target.value)} />
      ) : (
        <textarea {...shared} rows={rows} onChange={({ target }) => change(target.value)} />
      );
    };
  return (
    <>
      {fieldsOf(entry).map((row) => {
        const hint = texts.hints[row.name];
        return (
          <Field
            key={row.name}
            id={fieldId(id, row.name)}
            label={texts.labels[row.name]!}
            problem={messageOf(row.name)}
            {...(hint !== undefined && { hint })}
          >
            {control(row)}
          </Field>
        );
      })}
      {entry.folder === 'blog' && <ArticleFields {...{ id, head, messageOf, onChange }} />}
      {entry.name === 'about' && entry.folder === 'pages' && <Cards {...{ id, head, messageOf, onChange }} />}
    </>
  );
}

interface PartProps {
  readonly id: string;
  readonly head: ContentHead;
  readonly messageOf: (name: string) => string | undefined;
  readonly onChange: (head: ContentHead) => void;
}

/** Category, tags, and whether an article is featured. */
function ArticleFields({ id, head, messageOf, onChange }: PartProps) {
  const { data } = useQuery(
    { queryKey: [...adminKey, 'content'], queryFn: ({ signal }) => callAdmin('contentList', { signal }) },
    queryClient(),
  );
  const known = useId();
  const { category = '', tags = [], featured = false } = head;
  return (
    <>
      <Field
        id={fieldId(id, 'category')}
        label={texts.labels.category!}
        hint={texts.hints.category}
        problem={messageOf('category')}
      >
        {(props) => (
          <input
            {...props}
            className="input"
            dir="auto"
            list={known}
            value={category}
            onChange={({ target }) => onChange({ ...head, category: target.value })}
          />
        )}
      </Field>
      <datalist id={known}>
        {data?.categories.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Field id={fieldId(id, 'tags')} label={texts.labels.tags!} hint={texts.hints.tags} problem={messageOf('tags')}>
        {(props) => (
          <TagsInput control={props} tags={tags} onChange={(changed) => onChange({ ...head, tags: changed })} />
        )}
      </Field>
      <label className={listStyles.check}>
        <input
          type="checkbox"
          checked={featured}
          onChange={({ target }) => onChange({ ...head, featured: target.checked })}
        />
        <span>
          {texts.labels.featured}
          <span className="muted small">{texts.featuredHint}</span>
        </span>
      </label>
    </>
  );
}

interface TagsInputProps {
  readonly control: FieldControl;
  readonly tags: readonly string[];
  readonly onChange: (tags: string[]) => void;
}

/** Tags with commas between them; what was typed stays as it is while it means the same tags. */
function TagsInput({ control, tags, onChange }: TagsInputProps) {
  const [typed, setTyped] = useState(tags.join(', '));
  const shown = tagsIn(typed).join() === tags.join() ? typed : tags.join(', ');
  return (
    <input
      {...control}
      className="input"
      dir="auto"
      value={shown}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(tagsIn(target.value));
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

/** The three cards of About. */
function Cards({ id, head, messageOf, onChange }: PartProps) {
  const cards = head.cards ?? [];
  const change = (index: number, part: { readonly title?: string; readonly text?: string }) =>
    onChange({ ...head, cards: cards.map((card, at) => (at === index ? { ...card, ...part } : card)) });
  return cards.map((card, index) => (
    <Fragment key={index}>
      <Field
        id={fieldId(id, `cards.${index + 1}.title`)}
        label={texts.cardTitle(index + 1)}
        problem={messageOf(`cards.${index + 1}.title`)}
      >
        {(props) => (
          <input
            {...props}
            className="input"
            dir="auto"
            value={card.title}
            onChange={({ target }) => change(index, { title: target.value })}
          />
        )}
      </Field>
      <Field
        id={fieldId(id, `cards.${index + 1}.text`)}
        label={texts.cardText(index + 1)}
        problem={messageOf(`cards.${index + 1}.text`)}
      >
        {(props) => (
          <textarea
            {...props}
            className="input"
            dir="auto"
            rows={3}
            value={card.text}
            onChange={({ target }) => change(index, { text: target.value })}
          />
        )}
      </Field>
    </Fragment>
  ));
}
