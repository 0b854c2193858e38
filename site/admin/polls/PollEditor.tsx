import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import * as limits from '#contract/limits.ts';
import { contentFields } from '#api/polls/poll-editor.contract.ts';
import type { ChangedFields, EditedPoll, PollContent } from '#api/polls/poll-editor.contract.ts';
import { pick } from '#domain/field-changes.ts';
import { contentFindings, tidyContent } from '#domain/poll-draft.ts';
import styles from '#site/admin/Admin.module.css';
import { ActionButton, useAdminQuery } from '#site/admin/AdminList.tsx';
import { Loaded } from '#site/admin/AdminSection.tsx';
import { adminErrorMessage, callAdmin, refreshAdmin, useAdminMutation } from '#site/admin/admin-session.ts';
import { adminDraft, DraftSaver, isConflict, useDraft } from '#site/admin/draft-saver.ts';
import type { DraftState } from '#site/admin/draft-saver.ts';
import { ProblemSummary } from '#site/admin/ProblemSummary.tsx';
import { setAddress, useLostFocus } from '#site/admin/use-address.ts';
import { ApiError } from '#site/client/api.ts';
import { queryClient } from '#site/client/query-client.ts';
import { useForm } from '#site/client/use-form.ts';
import { CopyLink } from '#site/ui/CopyLink.tsx';
import { formatMoment } from '#site/ui/format.ts';
import { toast } from '#site/ui/toasts.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { pollEditorTexts as texts, pollListTexts, pollStateTexts } from '#texts/poll-editor.ts';
import { countriesOf, linesAs } from './countries.ts';
import { FieldDiffs } from './FieldDiffs.tsx';
import { PollDialog } from './poll-dialogs.tsx';
import type { PollAction } from './poll-dialogs.tsx';
import editorStyles from './PollEditor.module.css';
import { controlOf, PollForm, pollFieldOf, unsavable } from './PollForm.tsx';
import { PollHistory } from './PollHistory.tsx';
import { PollRecurrence } from './PollRecurrence.tsx';
import { previewPath } from './preview-path.ts';

const load = (id: string, signal?: AbortSignal) =>
  callAdmin('editedPoll', { params: { id }, ...(signal && { signal }) });
/** Somebody else has deleted the poll. */
const isGone = (error: unknown) => error instanceof ApiError && error.code === 'POLL_NOT_FOUND';

/** The editor of one poll, named by the page's query. */
export function PollEditor({ id }: { readonly id: string }) {
  const query = useAdminQuery('editedPoll', { params: { id } });
  const [discarded, setDiscarded] = useState(0);
  // A dialog that is opened right after another action stays open when the form begins again.
  const [action, setAction] = useState<PollAction | null>(null);
  const restart = async () => {
    await query.refetch();
    setDiscarded(discarded + 1);
  };
  return (
    <div className={styles.controls}>
      <p>
        <a
          className="back-link"
          href="/admin/polls"
          onClick={(event) => {
            event.preventDefault();
            setAddress({ poll: null });
          }}
        >
          <span aria-hidden="true">←</span> {texts.back}
        </a>
      </p>
      <Loaded query={query}>
        {(poll) => (
          // What is published has changed, so the form begins again; drafts that are saved while it is open are merged.
          <>
            <Editor
              key={`${poll.state} ${poll.publishedAt} ${discarded}`}
              poll={poll}
              action={action}
              onAction={setAction}
              onDiscarded={() => void restart()}
            />
            <PollRecurrence poll={poll} />
            <PollHistory poll={poll} />
          </>
        )}
      </Loaded>
    </div>
  );
}

/** Who saved the draft, or else published the poll. */
const changerOf = ({ changedBy, publishedBy }: EditedPoll) => changedBy ?? publishedBy ?? texts.someone;

/** Saves the draft of a poll. */
const saverOf = (poll: EditedPoll) =>
  new DraftSaver<EditedPoll, PollContent>(poll, {
    contentOf: ({ content }) => content,
    isValid: (content) => unsavable(content).size === 0,
    save: ({ id, version, publishedAt }, changes) =>
      callAdmin('saveDraft', { params: { id }, body: { version, publishedAt, ...changes } }),
    load: ({ id }) => load(id),
    // Since they were typed, the poll has opened, closed, or got votes.
    notTaken: ({ dropped }) => dropped,
    onMerged: (theirs) => toast(texts.saving.merged(changerOf(theirs))),
    kept: adminDraft(`poll-${poll.id}`),
  });

/** Publishes the draft, unless it lacks a line of countries that can’t be read; `wrong` is the number of that line. */
async function publish(saver: DraftSaver<EditedPoll, PollContent>, overwrite: boolean, wrong: number | null) {
  if (!(await saver.flush())) return null;
  if (wrong !== null) {
    const { content, stored } = saver.state();
    const errors = fieldErrors(contentFindings(tidyContent(content), Date.now(), stored.published));
    errors.push({ field: 'countryBreakdown', message: texts.badCountry(wrong) });
    throw new ApiError(400, '', { code: 'VALIDATION_FAILED', errors });
  }
  const { state } = await saver.call(({ id, version }) =>
    callAdmin('publishDraft', { params: { id }, body: { version, overwrite } }),
  );
  return state;
}

interface EditorProps {
  readonly poll: EditedPoll;
  /** What is asked about in a dialog. */
  readonly action: PollAction | null;
  readonly onAction: (action: PollAction | null) => void;
  /** The unpublished changes were discarded. */
  readonly onDiscarded: () => void;
}

function Editor({ poll: opened, action, onAction, onDiscarded }: EditorProps) {
  const id = useId();
  const [state, saver] = useDraft(
    () => saverOf(opened),
    ({ content: { question }, error }) => toast(texts.saving[isGone(error) ? 'lost' : 'kept'](question)),
  );
  const [openedAt] = useState(() => Date.now());
  const { stored: poll, content, status } = state;
  const [typedLines, setTypedLines] = useState('');
  const countryLines = linesAs(typedLines, content.countryBreakdown);
  const { wrong } = countriesOf(countryLines);
  const fieldOf = (part: string) => pollFieldOf(part, content);
  const publishing = useForm({
    bodyOf: (field) => field('overwrite') !== '',
    // The draft is saved with what is wrong in it, and the server says what can’t be published.
    check: () => [],
    send: (overwrite) => publish(saver, overwrite, wrong),
    onSent(published) {
      if (published === null) return;
      toast(texts.published[published]);
      void refreshAdmin();
    },
    onFailed: adminErrorMessage,
    fieldOf,
  });
  const problems = new Map([
    ...publishing.problems,
    ...[...unsavable(content)].map(([part, message]) => [fieldOf(part), message] as const),
    ...(wrong === null ? [] : [['countryBreakdown', texts.badCountry(wrong)] as const]),
  ]);
  const refusal = publishing.formProblem;
  const isOutdated = refusal !== null && isConflict(publishing.error);
  const isDirty = poll.version > 0 || status !== 'saved' || wrong !== null;
  const label =
    poll.published !== null
      ? texts.publish.changes
      : Date.parse(content.startsAt ?? '') > openedAt
        ? texts.publish.schedule
        : texts.publish.now;
  const decide = (which: 'mine' | 'theirs') => {
    saver.resolve(which);
    const decided = controlOf(id, state.overlap[0] ?? 'question', content);
    requestAnimationFrame(() => focusOn(decided?.id ?? ''));
  };
  const left = (leave: () => void) => () => {
    // What is not saved yet would be saved again.
    saver.reset(poll);
    leave();
  };
  const newDraft = useRef<EditedPoll | null>(null);
  const saveAsNew = useAdminMutation(
    async () => {
      // A second attempt, after the draft was made but not saved, uses the same one.
      newDraft.current ??= await callAdmin('createDraft', { body: {} });
      const { id, version, publishedAt } = newDraft.current;
      return callAdmin('saveDraft', { params: { id }, body: { version, publishedAt, ...content } });
    },
    (made) => left(() => setAddress({ poll: made.id }, { replace: true }))(),
  );
  const form = useRef<HTMLFormElement>(null);
  useLostFocus(() => form.current?.querySelector<HTMLElement>(opened.content.question === '' ? 'textarea' : 'h2'));

  return (
    <>
      <form ref={form} {...publishing.form} className={editorStyles.editor} aria-label={texts.form}>
        <Top poll={poll} question={content.question} onAction={onAction} flush={() => void saver.flush()} />
        <div className={editorStyles.form}>
          {state.theirs && (
            <Conflict
              id={`${id}-conflict`}
              title={texts.conflict.title(
                changerOf(state.theirs),
                formatMoment(state.theirs.changedAt ?? state.theirs.publishedAt ?? ''),
              )}
              text={texts.conflict.text}
              before={pick(state.theirs.content, state.overlap)}
              after={pick(content, state.overlap)}
            >
              <button type="button" className="button" onClick={() => decide('theirs')}>
                {texts.conflict.useTheirs}
              </button>
              <button type="button" className="button button--primary" onClick={() => decide('mine')}>
                {texts.conflict.keepYours}
              </button>
            </Conflict>
          )}
          {poll.dropped.length > 0 && (
            <p className={styles.problem} role="alert">
              {texts.dropped(poll.dropped.map((field) => texts.fields[field]))}
            </p>
          )}
          {isOutdated && <PublishConflict poll={poll} error={publishing.error!} />}
          <PollForm
            key={state.replaced}
            id={id}
            poll={poll}
            content={content}
            countryLines={countryLines}
            onCountryLines={setTypedLines}
            problems={problems}
            onChange={(part) => saver.change(part)}
          />
          <div className={editorStyles.foot}>
            <button
              type="submit"
              className="button button--primary"
              disabled={!isDirty}
              aria-disabled={publishing.pending}
            >
              {publishing.pending ? texts.publish.pending : label}
            </button>
            {isDirty && (
              <button
                type="button"
                className="button"
                onClick={() => onAction('discard')}
                disabled={poll.version === 0}
              >
                {poll.published === null ? texts.discardDraft : texts.discard}
              </button>
            )}
            {isGone(state.error) ? (
              <span className={styles.problem} role="alert">
                {texts.saving.gone}{' '}
                <button
                  type="button"
                  className="button button--small"
                  aria-disabled={saveAsNew.isPending}
                  onClick={() => saveAsNew.isPending || saveAsNew.mutate()}
                >
                  {texts.saving.saveAsNew}
                </button>
              </span>
            ) : (
              <SaveStatus
                state={wrong !== null && status === 'saved' ? { ...state, status: 'unsaved' } : state}
                conflictId={`${id}-conflict`}
                onRetry={() => void saver.flush()}
              />
            )}
            <ProblemSummary
              problems={[
                ...[...problems].map(([field, message]) => ({ message, control: controlOf(id, field, content) })),
                ...(refusal === null || isOutdated ? [] : [{ message: refusal, control: null }]),
              ]}
            />
          </div>
        </div>
      </form>
      {action !== null && (
        <PollDialog
          action={action}
          poll={poll}
          onClose={() => onAction(null)}
          onGone={left(() => setAddress({ poll: null }, { replace: true }))}
          onDiscarded={left(onDiscarded)}
          onInstead={onAction}
        />
      )}
    </>
  );
}

const focusOn = (id: string) => document.getElementById(id)?.focus();

interface SaveStatusProps {
  readonly state: DraftState<EditedPoll, PollContent>;
  /** Id of what is to be decided in a conflict. */
  readonly conflictId: string;
  readonly onRetry: () => void;
}

function SaveStatus({ state, conflictId, onRetry }: SaveStatusProps) {
  const { status, error, content, stored, isRestored } = state;
  if (status === 'conflict')
    return (
      <span className={styles.problem}>
        {texts.saving.conflict}{' '}
        <button type="button" className="button button--small" onClick={() => focusOn(conflictId)}>
          {texts.saving.compare}
        </button>
      </span>
    );
  const isCleaned =
    status === 'saved' && (stored.content.analysis ?? '').length < (content.analysis ?? '').trim().length;
  return (
    <>
      <span className="muted small" role="status">
        {status === 'saved' && stored.version === 0 ? '' : texts.saving[status]}
        {isCleaned && ` · ${texts.saving.cleaned}`}
        {isRestored && ` · ${texts.saving.restored}`}
      </span>
      {status === 'failed' && (
        <span className={styles.problem} role="alert">
          {adminErrorMessage(error)}{' '}
          <button type="button" className="button button--small" onClick={onRetry}>
            {texts.saving.retry}
          </button>
        </span>
      )}
    </>
  );
}

interface TopProps {
  readonly poll: EditedPoll;
  readonly question: string;
  readonly onAction: (action: PollAction) => void;
  /** Saves what is not saved yet. */
  readonly flush: () => void;
}

/** The state of a poll, and what can be done with it as a whole. */
function Top({ poll, question, onAction, flush }: TopProps) {
  const { id, state, published, publishedAt, publishedBy } = poll;
  const button = (action: PollAction, label: string) => (
    <button type="button" className="button button--small" onClick={() => onAction(action)}>
      {label}
    </button>
  );
  return (
    <div className={editorStyles.top}>
      <h2 dir="auto" tabIndex={-1}>
        {question.trim() === '' ? pollListTexts.untitled : question}
      </h2>
      <p className={`small ${styles.marks}`}>
        <span className={`tag ${state === 'open' ? 'tag--solid' : ''}`.trim()}>{pollStateTexts[state]}</span>
        {published !== null && (
          <span className="muted">{texts.live(publishedBy, formatMoment(publishedAt ?? ''))}</span>
        )}
        {published !== null && <span className="figure muted">{pollListTexts.votes(poll.totalVotes, 0)}</span>}
      </p>
      <div className={styles.actions}>
        <a className="button button--small" href={previewPath(poll)} target="_blank" rel="noreferrer" onClick={flush}>
          {texts.preview}
        </a>
        {state === 'open' && (
          <a className="button button--small" href={`/poll/${id}/screen`} onClick={flush}>
            {pollListTexts.screen}
          </a>
        )}
        {(state === 'open' || state === 'closed') && (
          <a className="button button--small" href={`/poll/${id}`}>
            {texts.page}
          </a>
        )}
        <ActionButton
          label={texts.duplicate}
          act={async () => {
            setAddress({ poll: (await callAdmin('createDraft', { body: { copyOf: id } })).id });
          }}
        />
        {state === 'open' && button('close', texts.close)}
        {state === 'closed' && button('reopen', texts.reopen)}
        {published !== null && button('unpublish', texts.unpublish)}
        {published !== null && button('delete', texts.delete)}
      </div>
      <PreviewLink poll={poll} />
    </div>
  );
}

function PreviewLink({ poll }: { readonly poll: EditedPoll }) {
  return (
    <details>
      <summary>{texts.previewLink}</summary>
      <p className="muted small">{texts.previewHint(limits.previewLinkDays)}</p>
      <CopyLink url={`${location.origin}${previewPath(poll)}`} label={texts.previewLink} ready />
    </details>
  );
}

interface ConflictProps {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly before: ChangedFields;
  readonly after: ChangedFields;
  /** Buttons. */
  readonly children: ReactNode;
}

function Conflict({ id, title, text, before, after, children }: ConflictProps) {
  return (
    <div className={`notice notice--error ${editorStyles.compare}`} role="alert">
      <p id={id} tabIndex={-1} className="notice__title">
        {title}
      </p>
      <p className="notice__text">{text}</p>
      <FieldDiffs before={before} after={after} />
      <p className="row">{children}</p>
    </div>
  );
}

/** The published poll was changed in the same fields since the draft was begun; without them, only the message. */
function PublishConflict({ poll, error }: { readonly poll: EditedPoll; readonly error: Error }) {
  const { data } = useQuery(
    { queryKey: ['publishConflict', poll.id], queryFn: ({ signal }) => load(poll.id, signal), gcTime: 0 },
    queryClient(),
  );
  const id = useId();
  useEffect(() => focusOn(id), [id, data]);
  const named = error instanceof ApiError ? (error.body?.errors ?? []).map(({ field }) => field) : [];
  const fields = contentFields.filter((field) => named.includes(field));
  if (!data?.published || fields.length === 0)
    return (
      <p id={id} tabIndex={-1} className={styles.problem} role="alert">
        {adminErrorMessage(error)}
      </p>
    );
  return (
    <Conflict
      id={id}
      title={texts.conflict.publishedTitle}
      text={texts.conflict.publishedText}
      before={pick(data.published, fields)}
      after={pick(data.content, fields)}
    >
      <button type="submit" name="overwrite" value="true" className="button button--primary">
        {texts.conflict.publishYours}
      </button>
    </Conflict>
  );
}
