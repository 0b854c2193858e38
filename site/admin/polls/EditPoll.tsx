import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import type { ResponseOf } from '#contract/endpoints.ts';
import type { ManagedPoll, PollTexts } from '#contract/managed-poll.ts';
import type { Poll } from '#contract/poll.ts';
import { draftFields } from '#contract/vocabulary.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Field } from '#site/ui/Field.tsx';
import type { FieldControl } from '#site/ui/Field.tsx';
import { toast } from '#site/ui/toasts.ts';
import { editPollTexts as texts } from '#texts/admin.ts';
import styles from '#site/admin/Admin.module.css';
import { adminErrorMessage, adminPassword, callAdmin, refreshAdmin } from '#site/admin/admin-session.ts';
import listStyles from '#site/admin/AdminLists.module.css';
import { Loaded } from '#site/admin/AdminSection.tsx';
import { changesIn, draftOf } from './poll-texts-draft.ts';
import type { DraftText } from './poll-texts-draft.ts';

/** The form that edits the texts of a poll; only Cancel discards what was typed. */
export function EditPoll({ poll, onClose }: { readonly poll: ManagedPoll; readonly onClose: () => void }) {
  const { id, previewToken } = poll;
  const query = useQuery(
    {
      queryKey: ['pollTexts', id],
      queryFn: ({ signal }) => callApi('poll', { params: { id }, query: { preview: previewToken }, signal }),
      staleTime: Infinity,
    },
    queryClient(),
  );
  return (
    <div className={listStyles.edit}>
      <Loaded query={query}>
        {(texts) => <EditForm poll={texts} isScheduled={poll.state === 'scheduled'} onClose={onClose} />}
      </Loaded>
    </div>
  );
}

type Problems = ReadonlyMap<string, string>;

/** The text fields; `rows` makes one a textarea. */
const fields: readonly { name: DraftText; rows?: number; optional?: true; hint?: string }[] = [
  { name: 'description', rows: 4 },
  { name: 'category', optional: true },
  { name: 'author', optional: true },
  { name: 'tags', rows: 3, optional: true, hint: texts.tagsHint },
  { name: 'series', optional: true, hint: texts.seriesHint },
  { name: 'summary', rows: 3, optional: true, hint: texts.fallback },
  { name: 'analysis', rows: 6, optional: true, hint: `${texts.analysisHint} ${texts.fallback}` },
  { name: 'methodologyNotes', rows: 3, optional: true, hint: texts.fallback },
];

function useEditPoll(id: string, onClose: () => void) {
  return useMutation<ResponseOf<'editPoll'>, Error, PollTexts>(
    {
      mutationFn: (body) => callAdmin('editPoll', { params: { id }, body }),
      onSuccess: ({ removed }) => {
        toast(removed.length > 0 ? { ...texts.saved, text: texts.removed(removed) } : texts.saved);
        onClose();
        void refreshAdmin();
      },
    },
    queryClient(),
  );
}

interface EditFormProps {
  readonly poll: Poll;
  /** The poll has not opened. */
  readonly isScheduled: boolean;
  readonly onClose: () => void;
}

function EditForm({ poll, isScheduled, onClose }: EditFormProps) {
  const id = useId();
  const question = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState(() => draftOf(poll));
  const { mutate, isPending, error, variables } = useEditPoll(poll.id, onClose);
  const problems: Problems = error ? problemsIn(error, variables?.options) : new Map();
  useEffect(() => question.current?.focus(), []);

  const save = () => {
    const changes = changesIn(draft, poll);
    if (changes === null) {
      toast(texts.nothing);
      onClose();
    } else mutate(changes);
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

  const form = (
    <form
      className={listStyles.form}
      noValidate
      aria-label={texts.form(poll.question)}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) save();
      }}
    >
      <Field id={`${id}-question`} label={texts.question} problem={problems.get('question')}>
        {control('question', 2)}
      </Field>
      <OptionFields
        id={id}
        poll={poll}
        values={draft.options}
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
      {isScheduled && (
        <label className={listStyles.check}>
          <input
            type="checkbox"
            checked={draft.publishBallots}
            onChange={({ target }) => setDraft({ ...draft, publishBallots: target.checked })}
          />
          <span>
            {texts.publishBallots}
            <span className="muted small">{texts.publishBallotsHint}</span>
          </span>
        </label>
      )}
      {problems.has('') && (
        <p className={listStyles.problem} role="alert">
          {problems.get('')}
        </p>
      )}
      <p className="muted small">{texts.hint}</p>
      <div className={styles.actions}>
        <button type="submit" className="button button--primary" aria-disabled={isPending}>
          {isPending ? texts.saving : texts.save}
        </button>
        {!isScheduled && (
          <button type="submit" form={`${id}-preview`} className="button" aria-label={texts.previewName}>
            {texts.preview}
          </button>
        )}
        <button type="button" className="button" onClick={onClose}>
          {texts.cancel}
        </button>
      </div>
    </form>
  );
  return (
    <>
      {form}
      <PreviewForm id={`${id}-preview`} pollId={poll.id} edit={changesIn(draft, poll) ?? { question: poll.question }} />
    </>
  );
}

interface PreviewFormProps {
  readonly id: string;
  readonly pollId: string;
  readonly edit: PollTexts;
}

/** Sends the texts to a page that shows them, in a new tab. A form, because a link has no body and a call no page. */
function PreviewForm({ id, pollId, edit }: PreviewFormProps) {
  return (
    <form
      id={id}
      method="post"
      action={`/poll/${pollId}/draft`}
      encType="multipart/form-data"
      target="_blank"
      rel="noopener"
      hidden
    >
      <input type="hidden" name={draftFields.password} value={adminPassword.get() ?? ''} />
      <input type="hidden" name={draftFields.texts} value={JSON.stringify(edit)} />
    </form>
  );
}

/** Error messages by field name; options by their id, and '' for a message that belongs to no field. */
function problemsIn(error: unknown, options: readonly { readonly id: string }[] = []): Problems {
  const listed = error instanceof ApiError ? (error.body?.errors ?? []) : [];
  if (listed.length === 0) return new Map([['', adminErrorMessage(error)]]);
  return new Map(
    listed.map(({ field, message }) => {
      const [name = '', index] = field.split('.');
      return [name === 'options' ? `option ${options[Number(index)]?.id ?? ''}` : name, message];
    }),
  );
}

interface OptionFieldsProps {
  /** Prefix of the field ids. */
  readonly id: string;
  readonly poll: Poll;
  /** Texts by option id. */
  readonly values: Readonly<Record<string, string>>;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
}

/** The option texts: editable until the first vote, then read-only. */
function OptionFields({ id, poll, values, problems, onChange }: OptionFieldsProps) {
  const hasVotes = poll.totalVotes > 0;
  return (
    <fieldset className={listStyles.options}>
      <legend>{texts.options}</legend>
      <p className="muted small">{hasVotes ? texts.optionsLocked : texts.optionsEditable}</p>
      {hasVotes ? (
        <ol className={listStyles.kept}>
          {poll.options.map((option) => (
            <li key={option.id} dir="auto">
              {option.text}
            </li>
          ))}
        </ol>
      ) : (
        poll.options.map((option, index) => (
          <Field
            key={option.id}
            id={`${id}-option-${index}`}
            label={texts.option(index + 1)}
            problem={problems.get(`option ${option.id}`)}
          >
            {(control) => (
              <input
                {...control}
                className="input"
                dir="auto"
                value={values[option.id] ?? ''}
                onChange={({ target }) => onChange({ ...values, [option.id]: target.value })}
              />
            )}
          </Field>
        ))
      )}
    </fieldset>
  );
}
