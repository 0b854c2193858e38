import type { ListedCard as Card } from './community-list-view.ts';
import { creatorText } from '#domain/display-name.ts';
import { signInAddress } from '#domain/next-path.ts';
import { failureText } from '#site/client/failure-text.ts';
import type { Auth } from '#site/client/auth.tsx';
import { RetryButton } from '#site/client/RetryButton.tsx';
import { Notice } from '#site/ui/Notice.tsx';
import { communityTexts as texts } from '#texts/community.ts';
import { formatCount } from '#site/ui/format.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { PollNotes } from '#site/polls/voting/PollNotes.tsx';
import { communityPath } from '#site/polls/voting/ballot.ts';
import type { CommunityView } from './community-list-view.ts';
import { communityAddress, firstCommunityView, isPersonal, phaseOf } from './community-list-view.ts';
import { newPollPath } from './CommunityListActions.tsx';
import styles from './CommunityList.module.css';
import { VisibilityIcon } from './VisibilityIcon.tsx';

interface CommunityListBodyProps {
  readonly view: CommunityView;
  readonly auth: Auth;
  readonly page: { readonly error: Error | null; readonly isFetching: boolean };
  /** Undefined while this view is loading for the first time. */
  readonly polls: readonly Card[] | undefined;
  readonly waiting: boolean;
  readonly now: number;
}

/** The list, or the notice or placeholders shown instead. */
export function CommunityListBody({ view, auth, page, polls, waiting, now }: CommunityListBodyProps) {
  if (view.scope !== 'public' && auth.status === 'signed-out')
    return <Notice {...texts.mineSignedOut} href={signInAddress(communityAddress(view))} />;

  return (
    <>
      {page.error !== null && !page.isFetching && (
        <Notice failed title={texts.failed.title} text={reasonOf(page.error, polls !== undefined)}>
          <RetryButton pending={page.isFetching} />
        </Notice>
      )}
      {polls === undefined ? (
        page.error === null && (
          <>
            <CommunityListPlaceholders />
            {isPersonal(view) && <p className="notice no-js-only">{texts.personalNoScript}</p>}
          </>
        )
      ) : polls.length > 0 ? (
        <CommunityListGrid polls={polls} waiting={waiting} now={now} />
      ) : view.page > 1 ? (
        <Notice
          title={texts.pastTheEnd.title(view.page)}
          text={texts.pastTheEnd.text}
          action={texts.pastTheEnd.action}
          href={communityAddress({ ...view, page: 1 })}
        />
      ) : (
        <Empty view={view} signedIn={auth.status === 'signed-in'} />
      )}
    </>
  );
}

function reasonOf(error: Error, listed: boolean): string {
  const reason = failureText(error, texts.failed.text);
  return listed ? `${reason} ${texts.failed.stale}` : reason;
}

interface EmptyProps {
  readonly view: CommunityView;
  readonly signedIn: boolean;
}

function Empty({ view, signedIn }: EmptyProps) {
  const { empty } = texts;
  const isFiltered = view.state !== null || view.sort === 'ending-soon';
  const [title, text] = isFiltered
    ? [empty.filteredTitle, empty.filtered]
    : view.category !== null
      ? [empty.inCategory(view.category), empty.inCategoryText]
      : [empty.title, view.scope === 'public' ? empty.text : empty[view.scope]];
  return (
    <Notice title={title} text={text}>
      <div className="row">
        {signedIn && view.scope !== 'invited' && (
          <a className="button button--primary" href={newPollPath}>
            {empty.createFirst}
          </a>
        )}
        {(isFiltered || view.category !== null) && (
          <a className="button" href={communityAddress({ ...firstCommunityView, scope: view.scope })}>
            {isFiltered ? empty.showEverything : empty.showAll}
          </a>
        )}
      </div>
    </Notice>
  );
}

interface CommunityListGridProps {
  readonly polls: readonly Card[];
  readonly now: number;
  /** The next list is loading. */
  readonly waiting?: boolean;
  /** Larger cards, fewer per row. */
  readonly lead?: boolean;
}

/** Cards in newspaper columns. */
export function CommunityListGrid(props: CommunityListGridProps) {
  const { polls, now, waiting = false, lead = false } = props;
  return (
    <ul
      className={`columns${lead ? ` ${styles.lead}` : ''}${waiting ? ` ${styles.waiting}` : ''}`}
      data-list={lead ? 'featured' : 'page'}
    >
      {polls.map((poll) => (
        <li key={poll.id} className="columns__cell">
          <CommunityCard poll={poll} now={now} />
        </li>
      ))}
    </ul>
  );
}

/** Empty cards of about the final size, shown while the first list loads. */
function CommunityListPlaceholders() {
  return (
    <ul className="columns js-only" aria-hidden="true">
      {[0, 1, 2, 3, 4, 5].map((index) => (
        <li key={index} className="columns__cell">
          <div className={styles.placeholder}>
            <span className={`skeleton ${styles.placeholderLine}`} />
            <span className={`skeleton ${styles.placeholderQuestion}`} />
            <span className={`skeleton ${styles.placeholderLine}`} />
          </div>
        </li>
      ))}
    </ul>
  );
}

interface CommunityCardProps {
  readonly poll: Card;
  /** The time that decides whether a poll has started, in milliseconds. */
  readonly now: number;
}

/** A community poll in a list, with a link to its page. */
function CommunityCard({ poll, now }: CommunityCardProps) {
  const phase = phaseOf(poll, now);
  return (
    <article className={styles.card} data-poll={poll.id} data-phase={phase}>
      <p className={styles.kicker}>
        <span className={styles.visibility}>
          <VisibilityIcon visibility={poll.visibility} />
          {texts.card.visibility[poll.visibility]}
        </span>
        {poll.category !== null && <span className={styles.category}>{poll.category}</span>}
        <span className={`${styles.phase} ${styles[phase]}`}>{texts.card.phase[phase]}</span>
      </p>
      <div className={styles.body}>
        <h3 className={styles.question} dir="auto">
          <a href={`${communityPath}/${poll.id}`}>{poll.question}</a>
        </h3>
        {poll.description !== '' && (
          <p className={styles.description} dir="auto">
            {poll.description}
          </p>
        )}
      </div>
      <div className={styles.facts}>
        {/* Before React, live-community-list.ts changes what is marked with data attributes. */}
        <b data-votes data-one={texts.card.votes('#', 1)} data-other={texts.card.votes('#', 2)}>
          {texts.card.votes(formatCount(poll.totalVotes), poll.totalVotes)}
        </b>
        <span
          hidden={poll.commentCount === 0}
          data-comments
          data-one={texts.card.comments('#', 1)}
          data-other={texts.card.comments('#', 2)}
        >
          {texts.card.comments(formatCount(poll.commentCount), poll.commentCount)}
        </span>
        <RelativeTime moment={poll.createdAt} />
        {phase === 'upcoming' && (
          <span>
            {texts.card.starts} <RelativeTime moment={poll.startsAt} isDeadline />
          </span>
        )}
        {phase === 'open' && poll.endsAt !== null && (
          <span>
            {texts.card.ends} <RelativeTime moment={poll.endsAt} isDeadline />
          </span>
        )}
        <b hidden={poll.hasVoted !== true} data-voted>
          {texts.card.voted}
        </b>
        <PollNotes poll={poll} href={null} />
        {/* Pre-rendered cards have no name; its line is reserved. */}
        <bdi className={styles.by} data-by={texts.card.by('#')}>
          {poll.createdByName === undefined ? '' : texts.card.by(creatorText(poll))}
        </bdi>
      </div>
    </article>
  );
}
