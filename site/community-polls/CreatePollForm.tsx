import { useEffect, useId, useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import type { User } from '#contract/account.ts';
import type { CommunityPoll } from '#contract/community-poll.ts';
import * as limits from '#contract/limits.ts';
import { communityCategories, visibilities } from '#contract/vocabulary.ts';
import { signInAddress } from '#domain/next-path.ts';
import { ApiError } from '#site/client/api.ts';
import { needsNewKey } from '#site/client/idempotency-key.ts';
import { Field } from '#site/ui/Field.tsx';
import { Notice } from '#site/ui/Notice.tsx';
import { createPollTexts as texts } from '#texts/community.ts';
import { CreatePollOptions } from './CreatePollOptions.tsx';
import { CreatePollTimes, incompleteTimes } from './CreatePollTimes.tsx';
import styles from './CreatePoll.module.css';
import { lengthOf, problemsFrom } from './create-poll-draft.ts';
import { dropDraft } from './create-poll-storage.ts';
import { isSessionOver, notMadeText, useCreatePoll, useCreatePollForm } from './use-create-poll.ts';

interface CreatePollFormProps {
  readonly user: Pick<User, 'id'> | null;
  readonly userId: string;
  readonly byHand: boolean;
  readonly next: string;
  readonly onCancel: () => void;
  readonly onMade: (poll: CommunityPoll) => void;
}

/** A description's length is said from here on. */
const nearlyFull = 0.9 * limits.communityDescription;

/** The form that makes a community poll. What is written in it survives failures, reloads and the end of a session. */
export function CreatePollForm({ user, userId, byHand, next, onCancel, onMade }: CreatePollFormProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const question = useRef<HTMLTextAreaElement>(null);
  const submit = useRef<HTMLButtonElement>(null);
  const { draft, kept, problems, ...the } = useCreatePollForm(userId);
  const [sent, setSent] = useState(0);
  const { mutate, isPending, error } = useCreatePoll({
    onMade: (poll) => {
      dropDraft();
      onMade(poll);
    },
    onRefused: (failure) => {
      if (needsNewKey(failure)) the.renewKey();
      if (failure instanceof ApiError) the.refuse(problemsFrom(draft, failure.body?.errors ?? []));
    },
  });

  useEffect(() => {
    if (byHand) question.current?.focus();
  }, [byHand]);

  // What was sent and refused: on to the first field that is wrong, or to the button that sends it again.
  const refused = !isPending && (sent > 0 || error !== null);
  useEffect(() => {
    if (!refused) return;
    (form.current?.querySelector<HTMLElement>('[aria-invalid]') ?? submit.current)?.focus();
  }, [refused, sent]);

  if (user === null && !isSessionOver(error))
    return (
      <Notice title={texts.heading} text={texts.signedOut} level={2} action={texts.signIn} href={signInAddress(next)} />
    );

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPending) return;
    const poll = the.attempt(incompleteTimes(event.currentTarget));
    if (poll) mutate(poll);
    else setSent(sent + 1);
  };
  const counter = (text: string, limit: number) => (
    <span className={lengthOf(text) > limit ? styles.over : undefined}>{texts.counter(lengthOf(text), limit)}</span>
  );

  return (
    <form
      ref={form}
      id="create-poll"
      className={styles.form}
      aria-labelledby={`${id}-heading`}
      aria-busy={isPending}
      noValidate
      onSubmit={handleSubmit}
    >
      <div className={styles.head}>
        <h2 id={`${id}-heading`}>{texts.heading}</h2>
        {kept && (
          <p className="row small">
            <span className="muted">{texts.draftBack}</span>
            <button type="button" className="button button--small" disabled={isPending} onClick={the.clear}>
              {texts.discard}
            </button>
          </p>
        )}
      </div>
      <fieldset className={styles.fields} disabled={isPending}>
        <Field
          id={`${id}-question`}
          label={texts.question}
          note={counter(draft.question, limits.communityQuestion)}
          hint={texts.questionHint}
          problem={the.problemOf('question')}
          className={styles.wide}
        >
          {(control) => (
            <textarea
              {...control}
              ref={question}
              className={`input ${styles.question}`}
              dir="auto"
              rows={2}
              required
              value={draft.question}
              // A question is one line, however many it takes on the screen.
              onChange={({ target }) => the.change({ question: target.value.replace(/\s*\n\s*/g, ' ') }, 'question')}
              onBlur={() => the.leave('question')}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && !event.nativeEvent.isComposing) event.preventDefault();
              }}
            />
          )}
        </Field>
        <Field
          id={`${id}-description`}
          label={texts.description}
          note={
            lengthOf(draft.description) >= nearlyFull
              ? counter(draft.description, limits.communityDescription)
              : texts.optional
          }
          problem={the.problemOf('description')}
          className={styles.wide}
        >
          {(control) => (
            <textarea
              {...control}
              className={`input ${styles.description}`}
              dir="auto"
              rows={3}
              value={draft.description}
              onChange={({ target }) => the.change({ description: target.value }, 'description')}
              onBlur={() => the.leave('description')}
            />
          )}
        </Field>
        <Field id={`${id}-visibility`} label={texts.visibility} hint={texts.visibilityMeans[draft.visibility]}>
          {(control) => (
            <select
              {...control}
              className="input"
              value={draft.visibility}
              onChange={({ target }) =>
                the.change({ visibility: visibilities.find((one) => one === target.value)! }, 'visibility')
              }
            >
              {visibilities.map((visibility) => (
                <option key={visibility} value={visibility}>
                  {texts.visibilities[visibility]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field id={`${id}-category`} label={texts.category} note={texts.optional} problem={the.problemOf('category')}>
          {(control) => (
            <select
              {...control}
              className="input"
              value={draft.category}
              onChange={({ target }) => the.change({ category: target.value }, 'category')}
            >
              <option value="">{texts.noCategory}</option>
              {communityCategories.map((category) => (
                <option key={category}>{category}</option>
              ))}
            </select>
          )}
        </Field>
        <CreatePollOptions
          id={`${id}-option`}
          options={draft.options}
          problem={the.problemOf('options')}
          problemOf={the.problemOf}
          onChange={(options, field) => the.change({ options }, field)}
          onLeave={the.leave}
        />
        <CreatePollTimes id={id} draft={draft} problemOf={the.problemOf} onChange={the.change} onLeave={the.leave} />
      </fieldset>
      <div className={styles.foot}>
        <p className={styles.problem} role="status">
          {problems > 0 ? texts.problems(problems) : error !== null && !isPending ? notMadeText(error) : ''}
          {isSessionOver(error) && (
            <>
              {' '}
              <a href={signInAddress(next)}>{texts.signIn}</a>
            </>
          )}
        </p>
        <div className="row">
          <button ref={submit} type="submit" className="button button--primary" disabled={isPending}>
            {isPending ? texts.submitting : texts.submit}
          </button>
          <button
            type="button"
            className="button"
            disabled={isPending}
            onClick={() => {
              the.putAway();
              onCancel();
            }}
          >
            {texts.cancel}
          </button>
        </div>
        <p className={styles.hint}>{texts.kept}</p>
      </div>
    </form>
  );
}
