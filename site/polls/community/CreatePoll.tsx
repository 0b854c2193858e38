import { useId } from 'react';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { Protection } from '#contract/vocabulary.ts';
import * as limits from '#contract/limits.ts';
import { oneLine } from '#domain/visible-text.ts';
import { signInAddress } from '#domain/next-path.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { useForm } from '#site/client/use-form.ts';
import type { FormState } from '#site/client/use-form.ts';
import { Field } from '#site/ui/Field.tsx';
import { Notice } from '#site/ui/Notice.tsx';
import { createPollTexts as texts } from '#texts/community.ts';
import { failureNote, failureText } from '#site/client/failure-text.ts';
import { OptionList, optionFieldOf } from '#site/ui/OptionList.tsx';
import { toast } from '#site/ui/toasts.ts';
import { ChoiceFields } from './ChoiceFields.tsx';
import { CreatePollSettings, timeErrors } from './CreatePollSettings.tsx';
import styles from './CreatePoll.module.css';
import {
  bodyOf,
  emptyDraft,
  isDraft,
  isUntouched,
  lengthOf,
  newOptionKey,
  newPollErrors,
  sentOptions,
} from './create-poll-draft.ts';
import type { Draft } from './create-poll-draft.ts';
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
  const form: FormState<Draft> = useForm({
    initial: copied ?? emptyDraft,
    draft: { name: `poll-${userId}`, isValid: isDraft, isBlank: isUntouched },
    bodyOf: (_, { values, sentAt }) => bodyOf(values, sentAt),
    check: (body, element) => [...timeErrors(element, form.values), ...newPollErrors(body)],
    fieldOf: (part, values) => optionFieldOf(part, sentOptions(values)),
    send: (body, idempotencyKey) => callApi('createCommunityPoll', { body, idempotencyKey }),
    // The page of the new poll announces the badges: this one is left at once.
    leavesPage: true,
    onSent: onCreated,
    onFailed(error) {
      const text = isSessionOver(error) ? texts.failed : failureText(error, texts.failed);
      toast({ title: texts.failedTitle, text, destructive: true });
      return isSessionOver(error) ? texts.signedOut : failureNote(error, texts.draftStays);
    },
  });
  const { values: draft, error, problems, problemOf, change } = form;

  // Pending until the page is left.
  const isPending = form.pending || form.isSent;

  if (user === null && !isSessionOver(error))
    return (
      <Notice title={texts.heading} text={texts.signedOut} level={2} action={texts.signIn} href={signInAddress(next)} />
    );

  const counter = (text: string, limit: number) => (
    <span className={lengthOf(text) > limit ? styles.over : undefined}>{texts.counter(lengthOf(text), limit)}</span>
  );

  return (
    <div className={styles.page}>
      <form {...form.form} id="create-poll" className={styles.form} aria-label={texts.heading} aria-busy={isPending}>
        {form.isRestored && (
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
            problem={problemOf('question')}
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
                name="question"
                onChange={({ target }) => change({ question: oneLine(target.value) })}
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
            problemOf={problemOf}
            newKey={newOptionKey}
            onChange={(options) => change({ options })}
          />
          <div className={styles.grid}>
            <ChoiceFields id={id} values={draft} change={change} problemOf={problemOf} />
          </div>
          <Field
            id={`${id}-description`}
            label={texts.description}
            note={
              lengthOf(draft.description) >= counterFrom
                ? counter(draft.description, limits.communityDescription)
                : texts.optional
            }
            problem={problemOf('description')}
          >
            {(control) => (
              <textarea
                {...control}
                className={`input ${styles.description}`}
                dir="auto"
                rows={3}
                value={draft.description}
                name="description"
                onChange={({ target }) => change({ description: target.value })}
              />
            )}
          </Field>
          <CreatePollSettings id={id} form={form} protections={protections} />
        </fieldset>
        <div className={styles.foot}>
          <p className={styles.problem} role="status">
            <span>{problems.size > 0 ? texts.problems(problems.size) : form.formProblem}</span>
            {isSessionOver(error) && (
              <span>
                {' '}
                <a href={signInAddress(next)}>{texts.signIn}</a>
              </span>
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

/** The session has ended. */
function isSessionOver(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 401;
}
