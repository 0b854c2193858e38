import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { ApiError, callApi } from '#site/client/api.ts';
import type { CallOptions } from '#site/client/api.ts';
import { failureNote, failureText } from '#site/client/failure-text.ts';
import { deviceId } from '#site/client/device-id.ts';
import { showStatistics } from '#site/client/live-statistics.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { nextCard } from './AfterVote.tsx';
import { lastVoted, setPollInCache } from './shown-polls.ts';
import { toast } from '#site/ui/toasts.ts';
import { dispatchVisitEvent } from '#site/ui/visit-event.ts';
import { ballotTexts } from '#texts/voting.ts';
import { choicesOf, chosenOf, isCommunity, ownVotes, pollPath, standingOf, writtenIn, writtenMark } from './ballot.ts';
import type { AnyPoll, VoteState } from './ballot.ts';
import { isVaried } from './option-order.ts';
import { roomCodeOf } from './room-code.ts';
import { nonceOf, rememberReceipt } from './receipts.ts';
import type { GivenReceipt } from './receipts.ts';

/** What goes with a vote: this browser’s nonce, the code of a screen, whether its options have another order than the published one, and the solution of a challenge, or the code that confirms an address. */
export type VoteProof = Pick<
  CallOptions<'vote'>,
  'nonce' | 'roomCode' | 'optionOrder' | 'challengeSolution' | 'emailCode'
>;

/** The notification about a vote. */
export type VoteToasts = Readonly<Record<'recordedTitle' | 'failedTitle' | 'failedText', string>> & {
  /** Below the title of a recorded vote. */
  readonly recordedText: string | undefined;
};

interface VoteOptions {
  readonly toasts: VoteToasts;
  /** Voting has started. */
  readonly started: boolean;
}

/** Sends a vote; resolves to the poll as this voter now sees it, and the receipt. */
async function sendVote(
  poll: AnyPoll,
  chosen: readonly string[],
  proof: VoteProof,
): Promise<{ readonly voted: AnyPoll; readonly given: GivenReceipt }> {
  const params = { id: poll.id };
  if (isCommunity(poll)) {
    const body = { ...chosenOf(chosen), voterFingerprint: deviceId() };
    const { receipt, promise, ...voted } = await callApi('communityVote', { params, body, ...proof });
    return { voted, given: { receipt, promise } };
  }
  const referringHost = document.referrer.split('/')[2] ?? '';
  const answer = await callApi('vote', { params, body: { optionId: chosen[0]! }, ...proof, referringHost });
  const { statistics, receipt, promise, ...voted } = answer;
  showStatistics(statistics);
  return { voted, given: { receipt, promise } };
}

/** Shows the poll of this page that somebody has voted on. */
function showVoted(poll: AnyPoll): Promise<void> {
  lastVoted.set(poll.id);
  return setPollInCache(poll);
}

/** One visitor’s vote on one poll. */
export interface CastVote {
  readonly state: VoteState;
  readonly choose: (optionIds: readonly string[]) => void;
  /** Sends the chosen options once. */
  readonly cast: () => void;
  /** Where the form of the ballot is sent without JavaScript. */
  readonly action: string;
  /** The poll in the response to a vote recorded while this page was open. */
  readonly recorded: AnyPoll | undefined;
}

/** Casts a vote in one request: the response, or the refusal, is the poll as this voter now sees it. */
export function useCastVote(poll: AnyPoll, { toasts, started }: VoteOptions): CastVote {
  const [choice, choose] = useState<readonly string[]>([]);
  const [checking, setChecking] = useState(false);
  const path = pollPath(poll);
  const { mutate, isPending, data, error } = useMutation<AnyPoll, Error, readonly string[]>(
    {
      mutationFn: async (chosen) => {
        const nonce = nonceOf(poll.id);
        const own = { nonce, roomCode: roomCodeOf(path), ...(isVaried(poll) && { optionOrder: 'random' }) };
        const { voted, given } = await sendProven(
          poll.id,
          (proof) => sendVote(poll, chosen, { ...proof, ...own }),
          () => setChecking(true),
        );
        rememberReceipt(voted, ownVotes(voted), given, path, nonce, writtenIn(chosen));
        return voted;
      },
      onSettled: () => setChecking(false),
      onSuccess: async (voted) => {
        dispatchVisitEvent('vote');
        await showVoted(voted);
        // The notification must cover neither the result nor the ballot to answer next.
        const kept = [document.querySelector(`[data-ballot='${voted.id}']`), nextCard(voted.id)];
        const clearOf = kept.filter((one) => one !== null);
        toast({ title: toasts.recordedTitle, text: toasts.recordedText, clearOf });
      },
      onError: async (failure) => {
        const text = failureText(failure, toasts.failedText);
        toast({ title: toasts.failedTitle, text, destructive: true });
        if (!(failure instanceof ApiError)) return;
        const { userVote, userVotes, receipt, promise } = failure.body ?? {};
        if (userVote !== undefined && receipt) {
          // The answer to this browser’s vote was lost; otherwise another device has voted.
          const nonce = [nonceOf(poll.id)].find((own) => own === promise?.nonce);
          rememberReceipt(poll, userVotes ?? [userVote], { receipt, promise }, path, nonce);
        }
        const reported = failure.body?.poll;
        if (isSamePoll(reported, poll)) return showVoted(reported);
        const changed = changedBy(failure, poll);
        if (changed !== null) await showVoted(changed);
        if (changed !== null || inaccessible.includes(failure.status))
          void queryClient().invalidateQueries({ queryKey: queryKeys.poll(poll.id) });
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
      if (state.kind === 'unvoted' && state.choice.length >= choicesOf(poll).min) mutate(state.choice);
    },
    action: `${path}/vote`,
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
  readonly choice: readonly string[];
  readonly pending: boolean;
  readonly checking: boolean;
  readonly fresh: boolean;
  readonly problem: string | null;
}

function voteStateOf(poll: AnyPoll, started: boolean, progress: VoteProgress): VoteState {
  const { pending, checking, fresh, problem } = progress;
  const chosen = progress.choice.filter((id) =>
    id.startsWith(writtenMark) ? poll.writeIns : poll.options.some((one) => one.id === id),
  );
  const kind = standingOf(poll, started);
  if (kind === 'upcoming') return { kind };
  if (kind !== 'unvoted') return { kind, fresh };
  if (pending) return { kind: 'pending', choice: chosen, checking };
  return { kind, choice: chosen, problem };
}

/** What the ballot adds to the failure toast. */
const problemOf = (error: Error | null) => error && failureNote(error, ballotTexts.choiceStays);

/** Statuses of refusals of a poll that is private or gone. */
const inaccessible: readonly number[] = [401, 403, 404];

function isSamePoll(value: unknown, poll: AnyPoll): value is AnyPoll {
  return typeof value === 'object' && value !== null && 'options' in value && 'id' in value && value.id === poll.id;
}

/** The poll after a refusal that doesn’t contain it; null if the refusal says nothing about it. */
function changedBy({ code, body }: ApiError, poll: AnyPoll): AnyPoll | null {
  if (code === 'ALREADY_VOTED')
    return { ...poll, hasVoted: true, userVote: body?.userVote ?? null, userVotes: body?.userVotes };
  return code === 'POLL_CLOSED' ? { ...poll, isActive: false } : null;
}
