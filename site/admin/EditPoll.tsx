import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import type { ManagedPoll } from '#contract/managed-poll.ts';
import type { Poll } from '#contract/poll.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Field } from '#site/ui/Field.tsx';
import type { FieldControl } from '#site/ui/Field.tsx';
import { toast } from '#site/ui/toasts.ts';
import { editPollTexts as texts } from '#texts/admin-polls.ts';
import styles from './Admin.module.css';
import { callAdmin, sentenceOf } from './admin-session.ts';
import { EditPollOptions } from './EditPollOptions.tsx';
import { Loaded } from './Loaded.tsx';
import own from './Managing.module.css';
import { changesIn, draftOf } from './poll-texts-draft.ts';
import type { DraftText } from './poll-texts-draft.ts';
import { lookAgain } from './use-managing.ts';

/** The texts of a poll, to be changed in place; what was written is lost with Cancel only. */
export function EditPoll({ poll, onClose }: { readonly poll: ManagedPoll; readonly onClose: () => void }) {
  const { id, previewToken } = poll;
  const query = useQuery(
    {
      queryKey: ['pollTexts', id],
      queryFn: ({ signal }) =>
        callApi('poll', { params: { id }, ...(previewToken !== null && { query: { preview: previewToken } }), signal }),
      staleTime: Infinity,
    },
    queryClient(),
  );
  return (
    <div className={own.edit}>
      <Loaded query={query}>{(poll) => <EditForm poll={poll} onClose={onClose} />}</Loaded>
    </div>
  );
}

type Problems = ReadonlyMap<string, string>;

/** Lines that a field shows, and what helps to fill it in. */
const fields: readonly { name: DraftText; rows?: number; optional?: true; hint?: string }[] = [
  { name: 'description', rows: 4 },
  { name: 'category', optional: true },
  { name: 'author', optional: true },
  { name: 'tags', rows: 3, optional: true, hint: texts.tagsHint },
  { name: 'summary', rows: 3, optional: true, hint: texts.fallback },
  { name: 'analysis', rows: 6, optional: true, hint: `${texts.analysisHint} ${texts.fallback}` },
  { name: 'methodologyNotes', rows: 3, optional: true, hint: texts.fallback },
];

function EditForm({ poll, onClose }: { readonly poll: Poll; readonly onClose: () => void }) {
  const id = useId();
  const question = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState(() => draftOf(poll));
  const [problems, setProblems] = useState<Problems>(new Map());
  const [pending, setPending] = useState(false);
  useEffect(() => question.current?.focus(), []);

  const save = async () => {
    const changes = changesIn(draft, poll);
    if (changes === null) {
      toast(texts.nothing);
      onClose();
      return;
    }
    setPending(true);
    setProblems(new Map());
    try {
      const { removed } = await callAdmin('editPoll', { params: { id: poll.id }, body: changes });
      toast(removed.length > 0 ? { ...texts.saved, text: texts.removed(removed) } : texts.saved);
      onClose();
      await lookAgain();
    } catch (error) {
      setProblems(problemsIn(error, changes.options));
      setPending(false);
    }
  };
  const control = (name: DraftText, rows: number | undefined) => (props: FieldControl) => {
    const shared = { ...props, name, className: 'input', dir: 'auto', value: draft[name] } as const;
    const change = (value: string) => setDraft({ ...draft, [name]: value });
    return rows === undefined ? (
      <input {...shared} onChange={({ target }) => change(target.value)} />
    ) : (
      <textarea
        {...shared}
        {...(name === 'question' && { ref: question })}
        rows={rows}
        onChange={({ target }) => change(target.value)}
      />
    );
  };

  return (
    <form
      className={own.form}
      noValidate
      aria-label={texts.form(poll.question)}
      onSubmit={(event) => {
        event.preventDefault();
        if (!pending) void save();
      }}
    >
      <Field id={`${id}-question`} label={texts.question} problem={problems.get('question')}>
        {control('question', 2)}
      </Field>
      <EditPollOptions
        id={id}
        poll={poll}
        written={draft.options}
        problems={problems}
        onChange={(options) => setDraft({ ...draft, options })}
      />
      {fields.map(({ name, rows, optional, hint }) => (
        <Field
          key={name}
          id={`${id}-${name}`}
          label={texts[name]}
          problem={problems.get(name)}
          {...(optional && { note: texts.optional })}
          {...(hint !== undefined && { hint })}
        >
          {control(name, rows)}
        </Field>
      ))}
      {problems.has('') && (
        <p className={own.problem} role="alert">
          {problems.get('')}
        </p>
      )}
      <p className="muted small">{texts.hint}</p>
      <div className={styles.actions}>
        <button type="submit" className="button button--primary" aria-disabled={pending}>
          {pending ? texts.saving : texts.save}
        </button>
        <button type="button" className="button" onClick={onClose}>
          {texts.cancel}
        </button>
      </div>
    </form>
  );
}

/** What was refused, by field; '' for what belongs to none. Options go by their id. */
function problemsIn(error: unknown, options: readonly { readonly id: string }[] = []): Problems {
  const listed = error instanceof ApiError ? (error.body?.errors ?? []) : [];
  if (listed.length === 0) return new Map([['', sentenceOf(error)]]);
  return new Map(
    listed.map(({ field, message }) => {
      const [name = '', place] = field.split('.');
      return [name === 'options' ? `option ${options[Number(place)]?.id ?? ''}` : name, message];
    }),
  );
}
