import type { RefObject } from 'react';
import { useId, useRef } from 'react';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { communityCategories } from '#contract/vocabulary.ts';
import { leadOf, percentWhole } from '#domain/poll-results.ts';
import { showsResults } from '#domain/poll-visibility.ts';
import { Ballot } from '#site/polls/voting/Ballot.tsx';
import { communityPath, countedOptions, isClosed, standingOf } from '#site/polls/voting/ballot.ts';
import type { Standing } from '#site/polls/voting/ballot.ts';
import { GuessSwitch } from '#site/polls/voting/use-guess.tsx';
import { formatCount, formatMoment, formatPercent } from '#site/ui/format.ts';
import { MemberName } from '#site/ui/MemberName.tsx';
import { RelativeTime, useShownZone } from '#site/ui/RelativeTime.tsx';
import { ResultBars } from '#site/ui/ResultBars.tsx';
import { Vane } from '#site/ui/Vane.tsx';
import { WrittenText } from '#site/ui/WrittenText.tsx';
import { communityPollTexts } from '#texts/community-poll.ts';
import { voteFigureTexts } from '#texts/integrity.ts';
import styles from './CommunityCard.module.css';
import { VisibilityIcon } from './VisibilityIcon.tsx';

const { voting: texts, toasts, ...headTexts } = communityPollTexts;

interface CommunityCardProps {
  readonly poll: CommunityPoll;
  /** Voting has started. */
  readonly started: boolean;
}

/** A community poll to vote on: what it is about, and the ballot. */
export function CommunityCard({ poll, started }: CommunityCardProps) {
  return (
    <article className={styles.card}>
      <Head poll={poll} started={started} />
      <CommunityBallot poll={poll} started={started} />
    </article>
  );
}

/** Visibility, category, question, description, and facts of a community poll. */
function Head({ poll, started }: CommunityCardProps) {
  const { visibility, question, description, totalVotes } = poll;
  const closed = isClosed(poll);
  const category = communityCategories.find((name) => name === poll.category);
  const end = poll.closedAt ?? poll.endsAt;
  return (
    <header className={styles.head}>
      <p className={styles.labels}>
        <span className={`kicker ${styles.visibility}`} data-tooltip={headTexts.visibilityMeans[visibility]}>
          <VisibilityIcon visibility={visibility} />
          {headTexts.visibility[visibility]}
        </span>
        {category !== undefined && (
          <a className={`tag ${styles.chip}`} href={`${communityPath}?${new URLSearchParams({ category })}`}>
            {category}
          </a>
        )}
        <span className="tag tag--solid">
          {closed ? headTexts.closed : started ? headTexts.active : headTexts.notStarted}
        </span>
      </p>
      <h1 className={styles.question} dir="auto">
        {question}
      </h1>
      {description !== '' && <WrittenText text={description} />}
      {poll.publishBallots === false && <p className="muted small">{voteFigureTexts.unpublished}</p>}
      <ul className={styles.facts} aria-label={headTexts.facts}>
        <li className="figure" data-total data-one={headTexts.votes(1, '#')} data-other={headTexts.votes(2, '#')}>
          {headTexts.votes(totalVotes, formatCount(totalVotes))}
        </li>
        <li>
          {headTexts.created} <RelativeTime moment={poll.createdAt} /> {headTexts.by} <Creator poll={poll} />
        </li>
        {poll.editedAt !== undefined && (
          <li>
            <a href={`${communityPath}/${poll.id}/history`}>
              {headTexts.edited} <RelativeTime moment={poll.editedAt} />
            </a>
          </li>
        )}
        {!closed && !started && (
          <li>
            {headTexts.starts} <RelativeTime moment={poll.startsAt} isDeadline />
          </li>
        )}
        {(closed || end !== null) && (
          <li>
            {closed ? headTexts.ended : headTexts.ends}
            {end !== null && (
              <>
                {' '}
                <RelativeTime moment={end} isDeadline />
              </>
            )}
          </li>
        )}
      </ul>
    </header>
  );
}

function Creator({ poll }: { readonly poll: CommunityPoll }) {
  const { createdByName: name, createdByUsername: username, createdByStaff: isStaff } = poll;
  return username === null ? <span>{name}</span> : <MemberName member={{ name, username, isStaff }} />;
}

const visibilityOf = ({ resultVisibility = 'after-voting' }: CommunityPoll) => resultVisibility;

/** Whether this visitor sees the results, even if they are still on their way. */
const seesResults = (poll: CommunityPoll, hasVoted = poll.hasVoted) =>
  showsResults(visibilityOf(poll), { isCreator: poll.isMine, hasVoted }, isClosed(poll));

function CommunityBallot({ poll, started }: CommunityCardProps) {
  const options = countedOptions(poll);
  const heading = useRef<HTMLHeadingElement>(null);
  const headingId = useId();
  const visibility = visibilityOf(poll);
  const leading = options && leadOf({ ...poll, options }).leaders[0];
  const standing = standingOf(poll, started);
  const recordedText = seesResults(poll, true) ? toasts.recordedText : toasts.secret[visibility];
  return (
    <section aria-labelledby={headingId}>
      <Ballot
        poll={poll}
        started={started}
        texts={{ ...texts, toasts: { ...toasts, recordedText } }}
        labelledBy={headingId}
        hidden={seesResults(poll) ? undefined : texts.secret[visibility]}
        head={(isGuessing) => (
          <BallotHead
            poll={poll}
            standing={standing}
            isSecret={options === null}
            chosen={poll.options.find(({ id }) => id === poll.userVote)?.text}
            leading={isGuessing ? undefined : leading?.votes}
            headingId={headingId}
            headingRef={heading}
          />
        )}
        seen={options !== null}
        // Only where the vote shows the results is there something to guess.
        after={visibility === 'after-voting' && !poll.isMine && <GuessSwitch />}
        focusAfterVote={heading}
      />
      {/* For those who see them without having voted: the creator, or everyone. */}
      {options !== null && (standing === 'unvoted' || standing === 'upcoming') && poll.totalVotes > 0 && (
        <section className={styles.soFar} aria-label={texts.soFar}>
          <h3>{texts.soFar}</h3>
          <ResultBars options={options} totalVotes={poll.totalVotes} />
        </section>
      )}
    </section>
  );
}

interface BallotHeadProps {
  readonly poll: CommunityPoll;
  readonly standing: Standing;
  /** The results don’t show yet, or not to this visitor. */
  readonly isSecret?: boolean;
  /** This voter’s answer, if known. */
  readonly chosen: string | undefined;
  /** Votes of the leading answer. */
  readonly leading: number | undefined;
  readonly headingId: string;
  readonly headingRef?: RefObject<HTMLHeadingElement | null>;
}

/** What the ballot shows, and what this voter chose. */
function BallotHead({ poll, standing, isSecret = false, chosen, leading, headingId, headingRef }: BallotHeadProps) {
  const closed = standing === 'closed';
  const decided = closed || standing === 'voted';
  const zone = useShownZone();
  const visibility = visibilityOf(poll);
  return (
    <header className={styles.ballotHead}>
      <div className={styles.body}>
        <h2 id={headingId} ref={headingRef} className={styles.heading} tabIndex={-1}>
          {closed
            ? isSecret
              ? texts.closed
              : texts.results
            : decided
              ? isSecret
                ? texts.recorded
                : texts.live
              : texts.legend}
        </h2>
        {decided && chosen !== undefined && (
          <p>
            {texts.thanks.before}
            <strong dir="auto">{chosen}</strong>
            {texts.thanks.after}
          </p>
        )}
        {standing === 'voted' && chosen === undefined && <p>{texts.thanksPlain}</p>}
        {standing !== 'voted' && (
          <p className="muted small">
            {closed
              ? texts.ended
              : standing === 'upcoming'
                ? texts.upcoming(formatMoment(poll.startsAt, zone))
                : isSecret || visibility === 'always'
                  ? texts.secret[visibility]
                  : texts.own}
          </p>
        )}
        {poll.visibility === 'private' && standing === 'unvoted' && (
          <p className="muted small">
            {visibility === 'after-voting' || visibility === 'always' ? texts.watched : texts.watchedByCreator}
          </p>
        )}
      </div>
      {/* At rest before the vote, so that nothing moves after it. */}
      {standing !== 'upcoming' && (
        <Vane
          className={styles.vane}
          dial
          {...(decided &&
            leading !== undefined && {
              share: Math.min(1, leading / poll.totalVotes),
              label: texts.vane(formatPercent(percentWhole(leading, poll.totalVotes), 0)),
            })}
        />
      )}
    </header>
  );
}
