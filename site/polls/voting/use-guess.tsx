import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import type { GuessedLead } from '#domain/guess.ts';
import { leadOf } from '#domain/poll-results.ts';
import { isFirstVote } from '#domain/standing.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient } from '#site/client/query-client.ts';
import { afterVoteTexts as texts } from '#texts/after-vote.ts';
import { countedOptions, pollPath } from './ballot.ts';
import type { AnyPoll } from './ballot.ts';
import { guessing, storeGuessing, watchGuessing } from './guesses.ts';
import type { Guessing } from './guesses.ts';
import type { CastVote } from './use-cast-vote.ts';

const off: Guessing = { on: false, guesses: 0, points: 0, made: [] };

/** Whether this visitor guesses results first, and how well. */
const useGuessing = () => useSyncExternalStore(watchGuessing, guessing, () => off);

/** A vote that may be followed by a guess before the results appear. */
interface GuessedVote {
  readonly vote: CastVote;
  /** In place of the results and of the outcome while the visitor is guessing. */
  readonly guess: { readonly sliders: ReactNode; readonly buttons: ReactNode } | null;
  /** The guess against the result. */
  readonly guessed: ReactNode;
}

/**
 * Lets visitors who opted in guess the result after a vote, among the first `max` options; not if they have `seen` it. The
 * guess is not part of the vote, and fails silently.
 */
export function useGuess(
  poll: AnyPoll,
  vote: CastVote,
  { max, seen = false }: { readonly max?: number; readonly seen?: boolean } = {},
): GuessedVote {
  const device = useGuessing();
  const { on } = device;
  // Decided when the vote is cast: the switch on the card applies to the next one, and visible results stay.
  const [stage, setStage] = useState<'none' | 'asked' | 'done'>('none');
  const [moved, setMoved] = useState<GuessedLead | null>(null);
  const [lead, setLead] = useState<GuessedLead | null>(null);
  const send = useMutation(
    { mutationFn: (body: GuessedLead) => callApi('guess', { params: { id: poll.id }, body }) },
    queryClient(),
  );
  const part = useQuery(
    { queryKey: ['guessFirst'], queryFn: () => import('./GuessFirst.tsx'), enabled: on, refetchOnMount: false },
    queryClient(),
  );

  const options = countedOptions(poll);
  const result = options && { ...poll, options };
  const asks =
    stage === 'asked' &&
    vote.state.kind === 'voted' &&
    vote.state.fresh &&
    result !== null &&
    leadOf(result).leaders.length > 0 &&
    !isFirstVote(result, poll.userVote);
  const handleDone = (guess: GuessedLead | null) => {
    setStage('done');
    setLead(guess);
    if (guess === null || result === null) return;
    part.data?.addGuess(guess, result, pollPath(poll));
    send.mutate(guess);
  };
  return {
    vote: {
      ...vote,
      cast: () => {
        if (on && !seen) setStage('asked');
        vote.cast();
      },
    },
    guess:
      asks && !part.isError
        ? // Somebody who votes before they are loaded waits for them, and doesn’t see the results meanwhile.
          {
            sliders: part.data !== undefined && (
              <part.data.GuessSliders options={result.options.slice(0, max)} guess={moved} onGuess={setMoved} />
            ),
            buttons: part.data !== undefined && <part.data.GuessButtons guess={moved} onDone={handleDone} />,
          }
        : null,
    guessed: lead && result && part.data && (
      <part.data.GuessResult
        result={result}
        lead={lead}
        response={send.data}
        isPending={send.isPending}
        device={device}
      />
    ),
  };
}

/** The switch on a card after a vote. */
export function GuessSwitch() {
  const { on } = useGuessing();
  return (
    <label className="row small no-print">
      <input type="checkbox" checked={on} onChange={({ target }) => storeGuessing({ on: target.checked })} />
      <span>{texts.guessFirst}</span>
    </label>
  );
}
