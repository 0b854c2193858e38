import type { SubmitEvent } from 'react';
import { useId } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { Protection } from '#contract/vocabulary.ts';
import * as limits from '#contract/limits.ts';
import { oneLine } from '#domain/visible-text.ts';
import { signInAddress } from '#domain/next-path.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { needsNewKey } from '#site/client/idempotency-key.ts';
import { Field } from '#site/ui/Field.tsx';
import { Notice } from '#site/ui/Notice.tsx';
import { createPollTexts as texts } from '#texts/community.ts';
import { failureNote, failureText } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { OptionList } from '#site/ui/OptionList.tsx';
import { toast } from '#site/ui/toasts.ts';
import { CreatePollSettings, incompleteTimes } from './CreatePollSettings.tsx';
import styles from './CreatePoll.module.css';
import type { KeyedPoll } from './create-poll-draft.ts';
import { lengthOf, newOptionKey, problemsFrom, useCreatePollForm } from './create-poll-draft.ts';
import { dropDraft } from './create-poll-storage.ts';
import type { Draft } from './create-poll-storage.ts';
import { PollPreview } from './PollPreview.tsx';

interface CreatePollProps {
  /** Null if the session ended while the form was open. */
  readonly user: Pick<User, 'id'> | null;
  /** The member who opened the form. */
  readonly userId: string;
  /** The levels of protection that this site offers. */
  readonly protections: readonly Protection[];
  /** Another poll to start from, unless there is a draft. */
  readonly copied: Draft | null;
  /** Where to return after signing in. */
  readonly next: string;
  readonly onCancel: () => void;
  readonly onCreated: (poll: CommunityPoll) => void;
}

/** The description’s counter appears from this length on. */
const counterFrom = 0.9 * limits.communityDescription;

/** The form for a new community poll, with a preview. Its draft survives failures, reloads, and the end of a session. */
export function CreatePoll({ user, userId, protections, copied, next, onCancel, onCreated }: CreatePollProps) {
  const id = useId();
  const { draft, restored, problemCount, ...form } = useCreatePollForm(userId, copied);
  const {
    mutate,
    isPending: isSending,
    isSuccess,
    error,
  } = useCreatePoll({
    onCreated: (poll) => {
      dropDraft();
      onCreated(poll);
    },
    onRefused: (failure) => {
      if (needsNewKey(failure)) form.renewKey();
      if (failure instanceof ApiError) form.addProblems(problemsFrom(draft, failure.body?.errors ?? []));
    },
  });

  // Pending until the page is left.
  const isPending = isSending || isSuccess;

  if (user === null && !isSessionOver(error))
    return (
      <Notice title={texts.heading} text={texts.signedOut} level={2} action={texts.signIn} href={signInAddress(next)} />
    );

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPending) return;
    const poll = form.validate(incompleteTimes(event.currentTarget, id));
    if (poll) mutate(poll);
  };
  const counter = (text: string, limit: number) => (
    <span className={lengthOf(text) > limit ? styles.over : undefined}>{texts.counter(lengthOf(text), limit)}</span>
  );

  return (
    <div className={styles.page}>
      <form
        id="create-poll"
        className={styles.form}
        aria-label={texts.heading}
        aria-busy={isPending}
        noValidate
        onSubmit={handleSubmit}
      >
        {restored && (
          <p className="row small">
            <span className="muted">{texts.draftBack}</span>
            <button type="button" className="button button--small" disabled={isPending} onClick={form.reset}>
              {copied === null ? texts.discard : texts.discardForCopy}
            </button>
          </p>
        )}
        <fieldset className={styles.fields} disabled={isPending}>
          <Field
            id={`${id}-question`}
            label={texts.question}
            note={counter(draft.question, limits.communityQuestion)}
            hint={texts.questionHint}
            problem={form.problemOf('question')}
          >
            {(control) => (
              <textarea
                {...control}
                className={`input ${styles.question}`}
                dir="auto"
                rows={2}
                required
                value={draft.question}
                // A question has no line breaks, even if it wraps on the screen.
                onChange={({ target }) => form.change({ question: oneLine(target.value) }, 'question')}
                onBlur={() => form.blur('question')}
                onKeyDown={(event) => {
                  if (event.key === 'Enter' && !event.nativeEvent.isComposing) event.preventDefault();
                }}
              />
            )}
          </Field>
          <OptionList
            id={`${id}-option`}
            className={styles.options}
            options={draft.options}
            hint={texts.optionsHint}
            min={limits.communityOptionsMin}
            max={limits.communityOptionsMax}
            full={texts.optionsFull}
            problem={form.problemOf('options')}
            problemOf={(key) => form.problemOf(`option-${key}`)}
            newKey={newOptionKey}
            onChange={(options, key) => form.change({ options }, key === null ? 'options' : `option-${key}`)}
            onBlur={(key) => form.blur(`option-${key}`)}
          />
          <Field
            id={`${id}-description`}
            label={texts.description}
            note={
              lengthOf(draft.description) >= counterFrom
                ? counter(draft.description, limits.communityDescription)
                : texts.optional
            }
            problem={form.problemOf('description')}
          >
            {(control) => (
              <textarea
                {...control}
                className={`input ${styles.description}`}
                dir="auto"
                rows={3}
                value={draft.description}
                onChange={({ target }) => form.change({ description: target.value }, 'description')}
                onBlur={() => form.blur('description')}
              />
            )}
          </Field>
          <CreatePollSettings
            id={id}
            draft={draft}
            protections={protections}
            problemOf={form.problemOf}
            onChange={form.change}
            onBlur={form.blur}
          />
        </fieldset>
        <div className={styles.foot}>
          <p className={styles.problem} role="status">
            {problemCount > 0 ? texts.problems(problemCount) : error !== null && !isPending ? failureHint(error) : ''}
            {isSessionOver(error) && (
              <>
                {' '}
                <a href={signInAddress(next)}>{texts.signIn}</a>
              </>
            )}
          </p>
          <div className="row">
            <button type="submit" className="button button--primary" disabled={isPending}>
              {isPending ? texts.submitting : texts.submit}
            </button>
            <button
              type="button"
              className="button"
              disabled={isPending}
              onClick={() => {
                onCancel();
              }}
            >
              {texts.cancel}
            </button>
          </div>
          <p className={styles.hint}>{texts.kept}</p>
        </div>
      </form>
      <PollPreview draft={draft} />
    </div>
  );
}

/** Creates a poll, and shows a toast on failure. */
function useCreatePoll(events: {
  readonly onCreated: (poll: CommunityPoll) => void;
  readonly onRefused: (error: Error) => void;
}) {
  return useMutation<CommunityPoll, Error, KeyedPoll>(
    {
      mutationFn: (poll) => callApi('createCommunityPoll', poll),
      // The page of the new poll announces the badges: this one is left at once.
      meta: { leavesPage: true },
      onSuccess: (poll) => {
        events.onCreated(poll);
      },
      onError: (error) => {
        const text = isSessionOver(error) ? texts.failed : failureText(error, texts.failed);
        toast({ title: texts.failedTitle, text, destructive: true });
        events.onRefused(error);
      },
    },
    queryClient(),
  );
}

/** The session has ended. */
function isSessionOver(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** What the form adds to the failure toast. */
function failureHint(error: Error): string {
  return isSessionOver(error) ? texts.signedOut : failureNote(error, texts.draftKept);
}
