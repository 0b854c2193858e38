import type { RefObject } from 'react';
import type { CommunityPoll } from '#contract/community-poll.ts';
import type { PollOption } from '#contract/poll.ts';
import { leadOf, percentWhole } from '#domain/poll-results.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { ResultBars } from '#site/ui/ResultBars.tsx';
import { Vane } from '#site/ui/Vane.tsx';
import { communityPollTexts } from '#texts/community-poll.ts';
import styles from './CommunityPollVote.module.css';
import { isClosed } from './use-community-poll.ts';

const texts = communityPollTexts.voting;

interface CommunityPollResultsProps {
  readonly poll: CommunityPoll;
  /** The option that this voter recorded; null: none, or it is not known. */
  readonly chosenId: string | null;
  /** The vote was accepted while this page was open, so the bars may grow. */
  readonly fresh: boolean;
  readonly headingId: string;
  readonly headingRef: RefObject<HTMLHeadingElement | null>;
}

/** The options with their counts; null while the server keeps a count back. */
function counted(poll: CommunityPoll): readonly PollOption[] | null {
  const options = poll.options.flatMap(({ id, text, votes }) => (votes === null ? [] : [{ id, text, votes }]));
  return options.length === poll.options.length ? options : null;
}

/** How a community poll stands, live, or how it ended, and what this voter chose. */
export function CommunityPollResults({ poll, chosenId, fresh, headingId, headingRef }: CommunityPollResultsProps) {
  const closed = isClosed(poll);
  const options = counted(poll);
  const chosen = poll.options.find(({ id }) => id === chosenId);
  const leading = options && leadOf(options, poll.totalVotes).leaders[0];
  return (
    <>
      <header className={styles.outcome}>
        <div className={styles.words}>
          <h2 id={headingId} ref={headingRef} className={styles.heading} tabIndex={-1}>
            {closed ? texts.results : texts.live}
          </h2>
          {chosen !== undefined && (
            <p>
              {texts.thanks.before}
              <strong dir="auto">{chosen.text}</strong>
              {texts.thanks.after}
            </p>
          )}
          {!closed && chosen === undefined && <p>{texts.thanksPlain}</p>}
          {closed && <p className={styles.note}>{texts.ended}</p>}
        </div>
        {leading && (
          <Vane
            className={styles.vane}
            share={Math.min(1, leading.votes / poll.totalVotes)}
            dial
            label={texts.vane(formatPercent(percentWhole(leading.votes, poll.totalVotes), 0))}
          />
        )}
      </header>
      {options === null ? (
        <p className={styles.note}>{texts.counting}</p>
      ) : (
        <>
          <ResultBars
            options={options}
            totalVotes={poll.totalVotes}
            userVote={chosenId}
            yourVote={texts.yourVote}
            grow={fresh}
          />
          <p className={styles.total}>{texts.total(poll.totalVotes, formatCount(poll.totalVotes))}</p>
        </>
      )}
    </>
  );
}
