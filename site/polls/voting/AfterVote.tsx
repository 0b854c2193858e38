import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Poll } from '#api/polls/polls.contract.ts';
import { progressOf } from '#domain/poll-order.ts';
import { standingSentence } from '#domain/standing.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { copyText, ShareButton, shareMessage } from '#site/ui/ShareButton.tsx';
import { currentToast, dismissToast } from '#site/ui/toast-store.ts';
import { toast } from '#site/ui/toasts.ts';
import { dispatchLinkCopied } from '#site/ui/visit-event.ts';
import { copyLinkTexts } from '#texts/sharing.ts';
import { afterVoteTexts as texts, answersTexts } from '#texts/after-vote.ts';
import styles from './AfterVote.module.css';
import { cardId, countedOptions, pollPath } from './ballot.ts';
import type { AnyPoll } from './ballot.ts';

interface AfterVoteProps {
  readonly poll: AnyPoll;
  /** Shown below: what to answer next. */
  readonly children?: ReactNode;
}

/** What a voter sees right after the vote: how the answer is doing, the time left, and the link to share. */
export function AfterVote({ poll, children }: AfterVoteProps) {
  const options = countedOptions(poll);
  // Of several answers, each has a standing of its own.
  const standing = options && !poll.maxChoices ? standingSentence({ ...poll, options }, poll.userVote) : null;
  const url = new URL(pollPath(poll), location.href).href;
  const copy = async () => {
    const copied = await copyText(url);
    if (copied) dispatchLinkCopied(url, 'copy');
    const message = shareMessage(copied ? 'copied' : 'failed');
    if (message !== null) toast(message);
  };
  return (
    <div className={styles.after}>
      {standing !== null && <p className={styles.standing}>{standing}</p>}
      <div className={`no-print ${styles.row}`}>
        {poll.endsAt !== null && (
          <p className={styles.ends}>
            {texts.ends} <RelativeTime moment={poll.endsAt} />
          </p>
        )}
        <span className={styles.buttons}>
          {(poll.visibility ?? 'public') === 'public' && (
            <ShareButton title={poll.question} url={url} ready className="button--small" />
          )}
          <button type="button" className="button button--small" onClick={() => void copy()}>
            {copyLinkTexts.copy}
          </button>
        </span>
      </div>
      {children}
    </div>
  );
}

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

/** Id of the summary of a visitor’s answers. */
export const answersId = 'your-answers';

/** The summary of a visitor’s answers, loaded once the last of these polls is answered. */
export function Answers({ polls, className = '' }: { readonly polls: readonly Poll[]; readonly className?: string }) {
  const isShown = polls.length > 1 && polls.every(({ hasVoted }) => hasVoted);
  const { data: part } = useQuery(
    { queryKey: ['answerSummary'], queryFn: () => import('./AnswerSummary.tsx'), enabled: isShown },
    queryClient(),
  );
  if (!isShown || part === undefined) return null;
  return (
    <div id={answersId} className={className} tabIndex={-1}>
      <part.AnswerSummary polls={polls} />
    </div>
  );
}
