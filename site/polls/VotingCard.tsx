import { useEffect, useId, useRef, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import * as limits from '#contract/limits.ts';
import type { Poll } from '#contract/poll.ts';
import { categoryLabel, offeredOptions, percentWhole } from '#domain/poll-results.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { ResultBars } from '#site/ui/ResultBars.tsx';
import { votingTexts as texts } from '#texts/polls.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { failureNote, failureText } from '#site/client/failure-text.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { toast } from '#site/ui/toasts.ts';
import { dispatchVisitEvent } from '#site/ui/visit-event.ts';
import { isClosed } from './open-poll.ts';
import styles from './VotingCard.module.css';

/** The choice is kept until the vote is recorded, so a failed vote can be retried. */
type VoteState =
  | { readonly kind: 'unvoted'; readonly choice: string | null; readonly problem: string | null }
  | { readonly kind: 'pending'; readonly choice: string }
  /** `fresh`: recorded while this page was open, so the bars animate. */
  | { readonly kind: 'voted'; readonly fresh: boolean }
  | { readonly kind: 'closed' };

function voteStateOf(poll: Poll, choice: string | null, vote: CastVote): VoteState {
  if (isClosed(poll)) return { kind: 'closed' };
  if (poll.hasVoted) return { kind: 'voted', fresh: vote.fresh };
  if (vote.pending && choice !== null) return { kind: 'pending', choice };
  return { kind: 'unvoted', choice, problem: vote.problem };
}

interface VotingCardProps {
  readonly poll: Poll;
  /** `page`: the only poll on its page; `grid`: one of several, linked to its page. */
  readonly variant: 'grid' | 'page';
}

/** The votes of options that aren’t offered, without which the results don’t add up. */
function NotOffered({ poll: { options, totalVotes } }: { readonly poll: Poll }) {
  const others = options.slice(limits.offeredOptions).filter(({ votes }) => votes > 0);
  const votes = others.reduce((sum, option) => sum + option.votes, 0);
  if (votes === 0) return null;
  const percent = formatPercent(percentWhole(votes, totalVotes), 0);
  return (
    <p className={`muted small ${styles.notOffered}`}>
      {texts.notOffered(others.length, texts.votes(votes, formatCount(votes)), percent)}
    </p>
  );
}

/** One poll: options, then the results in the same space. */
export function VotingCard({ poll, variant }: VotingCardProps) {
  const vote = useCastVote(poll);
  const [choice, setChoice] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const outcome = useRef<HTMLParagraphElement>(null);
  const headingId = useId();
  const voteId = `${headingId}-vote`;
  const state = voteStateOf(poll, choice, vote);
  const options = offeredOptions(poll.options);
  const choosing = state.kind === 'unvoted' || state.kind === 'pending';
  const Heading = variant === 'page' ? 'h1' : 'h3';

  // A choice may have been made before hydration.
  useEffect(() => {
    const early = form.current?.querySelector<HTMLInputElement>('input:checked');
    if (early) setChoice(early.value);
  }, []);

  // The focused button is gone: keyboard users continue at the result.
  const justVoted = state.kind === 'voted' && state.fresh;
  useEffect(() => {
    if (justVoted && (document.activeElement === null || document.activeElement === document.body))
      outcome.current?.focus({ preventScroll: true });
  }, [justVoted]);

  const handleSubmit = (event: { preventDefault(): void }) => {
    event.preventDefault();
    if (choice !== null) vote.cast(choice);
  };

  return (
    <article className={`card ${styles.card} ${variant === 'page' ? styles.page : ''}`} aria-labelledby={headingId}>
      <header className={styles.head}>
        {poll.category !== null && poll.category !== '' && (
          <p className="kicker" dir="auto">
            {categoryLabel(poll.category)}
          </p>
        )}
        <Heading id={headingId} className={styles.question} dir="auto">
          {variant === 'grid' ? <a href={`/poll/${poll.id}`}>{poll.question}</a> : poll.question}
        </Heading>
        {poll.description !== '' && (
          <p className={styles.description} dir="auto">
            {poll.description}
          </p>
        )}
      </header>

      <form ref={form} className={styles.form} onSubmit={handleSubmit}>
        {/* Both layers take up space, so nothing moves when one replaces the other. */}
        <div className={styles.layers}>
          <fieldset
            className={`${styles.choices} ${choosing ? '' : styles.hidden}`}
            disabled={!choosing}
            aria-hidden={!choosing}
            aria-labelledby={headingId}
          >
            {options.map((option) => (
              <label key={option.id} className={styles.choice} dir="auto">
                <input
                  type="radio"
                  name={`answer-${poll.id}`}
                  value={option.id}
                  checked={choosing ? option.id === choice : option.id === poll.userVote}
                  onChange={() => state.kind === 'unvoted' && setChoice(option.id)}
                />
                <span>{option.text}</span>
              </label>
            ))}
          </fieldset>
          <div className={`${styles.results} ${choosing ? styles.hidden : ''}`} aria-hidden={choosing}>
            <ResultBars
              options={poll.options}
              totalVotes={poll.totalVotes}
              userVote={poll.userVote}
              max={limits.offeredOptions}
              grow={justVoted}
            />
            <NotOffered poll={poll} />
          </div>
        </div>

        <footer className={styles.foot}>
          {choosing ? (
            <>
              <button
                type="submit"
                id={voteId}
                className={`button button--primary ${styles.vote}`}
                aria-labelledby={`${voteId} ${headingId}`}
                disabled={state.choice === null}
                // A disabled button would lose the focus.
                aria-disabled={state.kind === 'pending'}
              >
                {state.kind === 'pending' ? texts.pending : texts.vote}
              </button>
              {state.kind === 'unvoted' && state.problem !== null && <p className={styles.problem}>{state.problem}</p>}
            </>
          ) : (
            <p ref={outcome} className={styles.outcome} tabIndex={-1}>
              {state.kind === 'closed' ? (
                <>
                  <span className="tag tag--solid">{texts.closed}</span>
                  {variant === 'grid' && <a href={`/poll/${poll.id}`}>{texts.report}</a>}
                </>
              ) : (
                <>
                  <svg className={styles.check} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
                    <path d="M2.5 8.5 6.5 12.5 13.5 4" />
                  </svg>
                  {texts.recorded}
                </>
              )}
            </p>
          )}
          <p className={styles.total}>{texts.votes(poll.totalVotes, formatCount(poll.totalVotes))}</p>
        </footer>
      </form>

      <p className="visually-hidden" role="status">
        {justVoted &&
          texts.announce(
            poll.question,
            options
              .map(({ text, votes }) =>
                texts.announcePart(text, formatPercent(percentWhole(votes, poll.totalVotes), 0)),
              )
              .join(', '),
          )}
      </p>
    </article>
  );
}

/** Replaces the cached poll, so every part of the page shows it. */
async function setPollInCache(poll: Poll): Promise<void> {
  const client = queryClient();
  const queryKeysOfPoll = [queryKeys.activePolls, queryKeys.poll(poll.id)];
  // A response requested before the vote must not undo it.
  await Promise.all(queryKeysOfPoll.map((queryKey) => client.cancelQueries({ queryKey })));
  client.setQueriesData<readonly Poll[]>({ queryKey: queryKeys.activePolls }, (polls) =>
    polls?.map((other) => (other.id === poll.id ? poll : other)),
  );
  client.setQueriesData<Poll>({ queryKey: queryKeys.poll(poll.id) }, () => poll);
}

function refreshLists(): void {
  const client = queryClient();
  void client.invalidateQueries({ queryKey: queryKeys.activePolls });
  void client.invalidateQueries({ queryKey: queryKeys.statistics });
}

function isPoll(value: unknown, id: string): value is Poll {
  return typeof value === 'object' && value !== null && 'options' in value && 'id' in value && value.id === id;
}

/** The poll as reported in a refused vote; null if the refusal says nothing about it. */
function pollFromError(error: ApiError, poll: Poll): Poll | null {
  if (error.code === 'ALREADY_VOTED') {
    if (isPoll(error.body?.poll, poll.id)) return error.body.poll;
    return { ...poll, hasVoted: true, userVote: error.body?.userVote ?? null };
  }
  return error.code === 'POLL_CLOSED' ? { ...poll, isActive: false } : null;
}

/** One vote’s progress. */
interface CastVote {
  readonly cast: (optionId: string) => void;
  readonly pending: boolean;
  /** The vote was accepted while this page was open. */
  readonly fresh: boolean;
  /** What the card adds to the failure toast. */
  readonly problem: string | null;
}

/** Casts a vote; the response is the poll as this voter now sees it. Lists and figures are refreshed. */
function useCastVote(poll: Poll): CastVote {
  const { mutate, isPending, isSuccess, error } = useMutation<Poll, Error, string>(
    {
      mutationFn: (optionId) => callApi('vote', { params: { id: poll.id }, body: { optionId } }),
      onSuccess: async (voted) => {
        dispatchVisitEvent('vote');
        await setPollInCache(voted);
        refreshLists();
        toast({ title: texts.toasts.recordedTitle, text: texts.toasts.recordedText });
      },
      onError: async (failure) => {
        const text = failureText(failure, texts.toasts.failedText);
        toast({ title: texts.toasts.failedTitle, text, destructive: true });
        const updated = failure instanceof ApiError ? pollFromError(failure, poll) : null;
        if (updated !== null) await setPollInCache(updated);
      },
    },
    queryClient(),
  );
  return {
    cast: (optionId) => {
      if (isPending || poll.hasVoted || !offeredOptions(poll.options).some(({ id }) => id === optionId)) return;
      mutate(optionId);
    },
    pending: isPending,
    fresh: isSuccess,
    problem: error && failureNote(error, texts.choiceKept),
  };
}
