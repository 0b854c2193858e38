import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { ApiError } from '#site/client/api.ts';
import type { CallOptions } from '#site/client/api.ts';
import { failureNote, failureText } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { toast } from '#site/ui/toasts.ts';
import { dispatchVisitEvent } from '#site/ui/visit-event.ts';
import { ballotTexts } from '#texts/voting.ts';
import { isClosed } from './ballot.ts';
import type { BallotData, VoteState } from './ballot.ts';
import { nonceOf, rememberReceipt } from './store-receipts.ts';
import type { GivenReceipt } from './store-receipts.ts';

/** What goes with a vote: this browser’s nonce, and the solution of a challenge, or the code that confirms an address. */
export type VoteProof = Pick<CallOptions<'vote'>, 'nonce' | 'challengeSolution' | 'emailCode'>;

/** What differs between the kinds of poll when a vote is sent. */
export interface VoteCall<B extends BallotData> {
  /** Sends a vote, with what was required of it; resolves to the poll as this voter now sees it, and the receipt. */
  readonly send: (
    pollId: string,
    optionId: string,
    proof: VoteProof,
  ) => Promise<{ readonly poll: B; readonly given: GivenReceipt }>;
  /** Path of a poll’s page. */
  readonly pagePath: (pollId: string) => string;
  /** Shows the poll everywhere on the page. */
  readonly show: (poll: B) => Promise<void>;
  /** Requests the poll again, after a refusal that says it has changed, but not how. */
  readonly refetch?: (pollId: string) => void;
  /** The ballot on this page to answer next, which the notification must not cover, as it doesn’t the result. */
  readonly next?: (pollId: string) => Element | null;
  /** What the notification says below its title, about the poll as this voter now sees it. */
  readonly recordedText: (voted: B) => string | undefined;
  readonly toasts: Readonly<Record<'recordedTitle' | 'failedTitle' | 'failedText', string>>;
}

/** One visitor’s vote on one poll. */
export interface CastVote {
  readonly state: VoteState;
  readonly choose: (optionId: string) => void;
  /** Sends the chosen option once. */
  readonly cast: () => void;
  /** Where the form of the ballot is sent without JavaScript. */
  readonly action: string;
  /** The poll in the response to a vote recorded while this page was open. */
  readonly recorded: BallotData | undefined;
}

/** Casts a vote in one request: the response, or the refusal, is the poll as this voter now sees it. */
export function useCastVote<B extends BallotData>(poll: B, call: VoteCall<B>, started = true): CastVote {
  const [choice, choose] = useState<string | null>(null);
  const [checking, setChecking] = useState(false);
  const { mutate, isPending, data, error } = useMutation<B, Error, string>(
    {
      mutationFn: async (optionId) => {
        const nonce = nonceOf(poll.id);
        const { poll: voted, given } = await sendProven(
          poll.id,
          (proof) => call.send(poll.id, optionId, { ...proof, nonce }),
          () => setChecking(true),
        );
        rememberReceipt(voted, optionId, given, call.pagePath(poll.id), nonce);
        return voted;
      },
      onSettled: () => setChecking(false),
      onSuccess: async (voted) => {
        dispatchVisitEvent('vote');
        await call.show(voted);
        const kept = [document.querySelector(`[data-ballot='${voted.id}']`), call.next?.(voted.id)];
        const clearOf = kept.filter((one) => one != null);
        toast({ title: call.toasts.recordedTitle, text: call.recordedText(voted), clearOf });
      },
      onError: async (failure) => {
        const text = failureText(failure, call.toasts.failedText);
        toast({ title: call.toasts.failedTitle, text, destructive: true });
        if (!(failure instanceof ApiError)) return;
        const { userVote, receipt, promise } = failure.body ?? {};
        if (userVote !== undefined && receipt) {
          // The answer to this browser’s vote was lost; otherwise another device has voted.
          const nonce = [nonceOf(poll.id)].find((own) => own === promise?.nonce);
          rememberReceipt(poll, userVote, { receipt, promise }, call.pagePath(poll.id), nonce);
        }
        const reported = failure.body?.poll;
        if (isSamePoll(reported, poll)) return call.show(reported);
        const changed = changedBy(failure, poll);
        if (changed !== null) await call.show(changed);
        if (changed !== null || inaccessible.includes(failure.status)) call.refetch?.(poll.id);
      },
    },
    queryClient(),
  );
  const vote = { choice, pending: isPending, checking, fresh: data !== undefined, problem: problemOf(error) };
  const state = voteStateOf(poll, started, vote);
  return {
    state,
    choose,
    cast: () => {
      if (state.kind === 'unvoted' && state.choice !== null) mutate(state.choice);
    },
    action: `${call.pagePath(poll.id)}/vote`,
    recorded: data,
  };
}

/** Challenges that one vote may be answered with: a solution can come too late, or from a network that got a harder one. */
const challengesPerVote = 2;

/** Sends a vote, and again with the solution when it is answered with a challenge, or with a code when an address is needed. */
async function sendProven<B>(
  pollId: string,
  send: (proof?: VoteProof) => Promise<B>,
  onChallenge: () => void,
): Promise<B> {
  let solution: string | undefined;
  for (let challenges = 0; ; challenges += 1) {
    try {
      return await send(solution === undefined ? undefined : { challengeSolution: solution });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'EMAIL_REQUIRED') {
        const { confirmAddress } = await import('./ConfirmAddress.tsx');
        return confirmAddress(pollId, (emailCode) => send({ emailCode }), error);
      }
      const challenge = error instanceof ApiError ? error.body?.challenge : undefined;
      if (challenge === undefined || challenges === challengesPerVote) throw error;
      onChallenge();
      // The server’s message says what to do where this browser can’t solve it.
      solution = await import('./challenge.ts')
        .then(({ solve }) => solve(challenge))
        .catch(() => Promise.reject(error as ApiError));
    }
  }
}

interface VoteProgress {
  readonly choice: string | null;
  readonly pending: boolean;
  readonly checking: boolean;
  readonly fresh: boolean;
  readonly problem: string | null;
}

function voteStateOf(poll: BallotData, started: boolean, progress: VoteProgress): VoteState {
  const { choice, pending, checking, fresh, problem } = progress;
  if (isClosed(poll)) return { kind: 'closed', fresh };
  if (poll.hasVoted) return { kind: 'voted', fresh };
  if (!started) return { kind: 'upcoming' };
  if (pending && choice !== null) return { kind: 'pending', choice, checking };
  return { kind: 'unvoted', choice: poll.options.some(({ id }) => id === choice) ? choice : null, problem };
}

/** What the ballot adds to the failure toast. */
const problemOf = (error: Error | null) => error && failureNote(error, ballotTexts.choiceKept);

/** Statuses of refusals of a poll that is private or gone. */
const inaccessible: readonly number[] = [401, 403, 404];

function isSamePoll<B extends BallotData>(value: unknown, poll: B): value is B {
  return typeof value === 'object' && value !== null && 'options' in value && 'id' in value && value.id === poll.id;
}

/** The poll after a refusal that doesn’t contain it; null if the refusal says nothing about it. */
function changedBy<B extends BallotData>({ code, body }: ApiError, poll: B): B | null {
  if (code === 'ALREADY_VOTED') return { ...poll, hasVoted: true, userVote: body?.userVote ?? null };
  return code === 'POLL_CLOSED' ? { ...poll, isActive: false } : null;
}
