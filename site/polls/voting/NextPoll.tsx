import { useQuery } from '@tanstack/react-query';
import type { Poll } from '#api/polls/polls.contract.ts';
import { progressOf } from '#domain/poll-order.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { currentToast, dismissToast } from '#site/ui/toast-store.ts';
import { afterVoteTexts as texts, answersTexts } from '#texts/after-vote.ts';
import { Answers, answersId } from './Answers.tsx';
import styles from './NextPoll.module.css';

/** Id of a poll’s card on a page with several. */
export const cardId = (pollId: string) => `card-${pollId}`;

/** The card on this page of the poll to answer after this one; null if there is none. */
export function nextCard(pollId: string): HTMLElement | null {
  const polls = queryClient().getQueryData<readonly Poll[]>(queryKeys.activePolls) ?? [];
  const { next } = progressOf(polls, pollId);
  return next === null ? null : document.getElementById(cardId(next));
}

interface NextPollProps {
  /** The poll just voted on. */
  readonly pollId: string;
  /** Whether the other polls are on this page, too. */
  readonly onPage: boolean;
}

/** How many of today’s polls this visitor has answered, and a link to the next one. */
export function NextPoll({ pollId, onPage }: NextPollProps) {
  // The page has requested them before the vote.
  const { data: polls } = useQuery<readonly Poll[]>(
    {
      queryKey: queryKeys.activePolls,
      queryFn: ({ signal }) => callApi('activePolls', { signal }),
      enabled: false,
    },
    queryClient(),
  );
  if (polls === undefined || polls.length < 2) return null;
  const { answered, next } = progressOf(polls, pollId);
  const isDone = answered === polls.length;
  return (
    <>
      <p className={`no-print ${styles.next}`}>
        {isDone && onPage && (
          <a className="button button--primary" href={`#${answersId}`}>
            {answersTexts.link}
          </a>
        )}
        {next !== null && (
          <a
            className="button button--primary"
            href={onPage ? `#${cardId(next)}` : `/poll/${next}`}
            onClick={(event) => onPage && focusBallot(next) && event.preventDefault()}
          >
            {texts.next}
          </a>
        )}
        <span className={styles.progress}>
          <span aria-hidden="true">{texts.answered(answered, polls.length)}</span>
          <span className="visually-hidden">{texts.answeredLong(answered, polls.length)}</span>
        </span>
      </p>
      {!onPage && <Answers polls={polls} />}
    </>
  );
}

/** Scrolls to the card of a poll and focuses its first choice; false if there is none. */
function focusBallot(pollId: string): boolean {
  const card = document.getElementById(cardId(pollId));
  const first = card?.querySelector<HTMLInputElement>('fieldset:not(:disabled) input');
  if (!card || !first) return false;
  const shown = currentToast.get();
  if (shown?.clearOf) dismissToast(shown.id);
  card.scrollIntoView({ block: 'nearest' });
  first.focus({ preventScroll: true });
  return true;
}
