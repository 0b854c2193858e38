import { circumstanceNames, communityCategories } from '#contract/vocabulary.ts';
import { mayListBallots } from '#domain/listed-ballots.ts';
import { pinnedBy } from '#domain/pinned-options.ts';
import { leadOf, percentWhole } from '#domain/poll-results.ts';
import type { BallotHeadProps, BallotParts, SeveralParts } from '#site/polls/voting/Ballot.tsx';
import {
  choicesOf,
  communityPath,
  countedOptions,
  isClosed,
  isCommunity,
  optionField,
  ownTexts,
} from '#site/polls/voting/ballot.ts';
import type { AnyPoll } from '#site/polls/voting/ballot.ts';
import type { CardParts, PartProps } from '#site/polls/voting/VoteCard.tsx';
import { formatCount, formatMoment, formatPercent } from '#site/ui/format.ts';
import { MemberName } from '#site/ui/MemberName.tsx';
import { RelativeTime, useShownZone } from '#site/ui/RelativeTime.tsx';
import { Vane } from '#site/ui/Vane.tsx';
import { WrittenText } from '#site/ui/WrittenText.tsx';
import { severalTexts } from '#texts/choices.ts';
import { circumstanceTexts } from '#texts/circumstances.ts';
import { communityPollTexts } from '#texts/community-poll.ts';
import { voteFigureTexts } from '#texts/integrity.ts';
import styles from './CommunityParts.module.css';
import { VisibilityIcon } from '#site/polls/list/VisibilityIcon.tsx';

const { voting: texts, toasts, ...headTexts } = communityPollTexts;

/** Visibility, category, and state. */
function Labels({ poll, started }: PartProps) {
  const { visibility = 'public' } = poll;
  const category = communityCategories.find((name) => name === poll.category);
  return (
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
        {isClosed(poll) ? headTexts.closed : started ? headTexts.active : headTexts.notStarted}
      </span>
    </p>
  );
}

/** Description, and facts. */
function About({ poll, started }: PartProps) {
  const { description, totalVotes } = poll;
  const countOf = choicesOf(poll).max > 1 ? severalTexts.voters : headTexts.votes;
  const closed = isClosed(poll);
  const end = poll.closedAt ?? poll.endsAt;
  return (
    <>
      {description !== '' && <WrittenText text={description} />}
      {poll.publishBallots === false && <p className="muted small">{voteFigureTexts.unpublished}</p>}
      <ul className={styles.facts} aria-label={headTexts.facts}>
        <li className="figure" data-total data-one={countOf(1, '#')} data-other={countOf(2, '#')}>
          {countOf(totalVotes, formatCount(totalVotes))}
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
    </>
  );
}

function Creator({ poll }: { readonly poll: AnyPoll }) {
  const { createdByName: name = '', createdByUsername: username = null, createdByStaff: isStaff } = poll;
  return username === null ? <span>{name}</span> : <MemberName member={{ name, username, isStaff }} />;
}

/** What the ballot shows, and what this voter chose. */
function Head({ poll, standing, isGuessing, several: parts, headingId, headingRef }: BallotHeadProps) {
  const options = countedOptions(poll);
  const isSecret = options === null;
  const names = ownTexts(poll);
  const chosen = parts?.listed(names) ?? names.join('');
  const result = isGuessing ? null : parts?.result?.(poll);
  const votes = options && !isGuessing ? leadOf({ ...poll, options }).leaders[0]?.votes : undefined;
  const lead = result ?? (votes === undefined ? null : { votes, of: poll.totalVotes });
  const closed = standing === 'closed';
  const decided = closed || standing === 'voted';
  const zone = useShownZone();
  const { resultVisibility: visibility = 'after-voting' } = poll;
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
              : (parts?.legend ?? texts.legend)}
        </h2>
        {decided && chosen !== '' && (
          <p>
            {texts.thanks.before}
            <strong dir="auto">{chosen}</strong>
            {texts.thanks.after}
          </p>
        )}
        {standing === 'voted' && chosen === '' && <p>{texts.thanksPlain}</p>}
        {decided && result && <p className={styles.finding}>{result.finding}</p>}
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
        {poll.visibility === 'private' && standing === 'unvoted' && !poll.isMine && (
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
            lead !== null && {
              share: Math.min(1, lead.votes / lead.of),
              label: texts.vane(formatPercent(percentWhole(lead.votes, lead.of), 0)),
            })}
        />
      )}
    </header>
  );
}

/** How its votes were cast, as the report of a weekly poll says it, and where they can be recounted. */
function Circumstances({ poll }: { readonly poll: AnyPoll }) {
  const closed = isClosed(poll);
  const pinned = closed ? pinnedBy(poll.optionOrder) : null;
  const { visibility = 'public', publishBallots = true, method = 'single', totalVotes } = poll;
  const isListed = visibility === 'public' && publishBallots && mayListBallots(totalVotes, { method });
  return (
    <div className={styles.circumstances}>
      {pinned !== null && <p className="muted small">{circumstanceTexts.varied(pinned)}</p>}
      {circumstanceNames.map((name) => {
        const count = poll.votesApart?.[name] ?? 0;
        return (
          count > 0 && (
            <p key={name} className="muted small">
              {circumstanceTexts.apart[name](count, formatCount(count))}
            </p>
          )
        );
      })}
      {closed && isListed && (
        <p className="no-print small">
          <a href={`${communityPath}/${poll.id}/recount`}>{headTexts.recount}</a>
        </p>
      )}
    </div>
  );
}

/** Of a ballot on which a vote may choose several options. */
const several: SeveralParts = {
  legend: severalTexts.legend,
  voters: severalTexts.voters,
  listed: severalTexts.list,
  Choices({ poll, options, chosen, choose, className }) {
    // In the poll’s own order.
    const toggled = (id: string) =>
      poll.options.flatMap((option) => (chosen.includes(option.id) === (option.id === id) ? [] : [option.id]));
    return options.map(({ id, text }) => (
      <label key={id} className={className} dir="auto">
        <input
          type="checkbox"
          name={optionField}
          value={id}
          checked={chosen.includes(id)}
          disabled={chosen.length >= choicesOf(poll).max && !chosen.includes(id)}
          onChange={() => choose(toggled(id))}
        />
        <span>{text}</span>
      </label>
    ));
  },
  Rule: ({ poll, chosen, id }) => (
    <p id={id} className="small">
      {severalTexts.rule(choicesOf(poll))} <span role="status">{severalTexts.chosen(chosen, choicesOf(poll))}</span>
    </p>
  ),
  Shares: ({ poll }) => <p className={`muted small ${styles.shares}`}>{severalTexts.shares(choicesOf(poll))}</p>,
};

/** What the card of a community poll has besides that of a weekly poll. */
const communityParts: CardParts = { texts: { ...texts, toasts }, several, Labels, About, Head, Circumstances };

/** The parts of a poll’s card, by its kind; `more` are those that the pages of other polls don’t load. */
export const partsOf = (poll: AnyPoll, more: Pick<BallotParts, 'several' | 'written'> = {}): CardParts | undefined =>
  isCommunity(poll) ? { ...communityParts, ...(poll.method === 'ranked' || more.written ? more : {}) } : undefined;
