import type { CommunityPoll } from '#contract/community-poll.ts';
import { communityCategories } from '#contract/vocabulary.ts';
import { formatCount } from '#site/ui/format.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { communityPollTexts as texts } from '#texts/community-poll.ts';
import { communityAddress, firstCommunityView } from './community-list-view.ts';
import styles from './CommunityPoll.module.css';
import { isClosed } from './use-community-poll.ts';
import { VisibilityIcon } from './VisibilityIcon.tsx';

interface CommunityPollHeadProps {
  readonly poll: CommunityPoll;
  readonly begun: boolean;
}

/** What a community poll is: who may see it, its category, question, description, and the facts about it. */
export function CommunityPollHead({ poll, begun }: CommunityPollHeadProps) {
  const { visibility, question, description, totalVotes } = poll;
  const closed = isClosed(poll);
  const category = communityCategories.find((name) => name === poll.category);
  const end = poll.closedAt ?? poll.endsAt;
  return (
    <header className={styles.head}>
      <p className={styles.labels}>
        <span className={`kicker ${styles.visibility}`} data-tooltip={texts.visibilityMeans[visibility]}>
          <VisibilityIcon visibility={visibility} />
          {texts.visibility[visibility]}
        </span>
        {category !== undefined && (
          <a className={`tag ${styles.chip}`} href={communityAddress({ ...firstCommunityView, category })}>
            {category}
          </a>
        )}
        <span className="tag tag--solid">{closed ? texts.closed : begun ? texts.active : texts.notStarted}</span>
      </p>
      <h1 className={styles.question} dir="auto">
        {question}
      </h1>
      {description !== '' && (
        <p className={styles.description} dir="auto">
          {description}
        </p>
      )}
      <ul className={styles.facts} aria-label={texts.facts}>
        <li className="figure">{texts.votes(totalVotes, formatCount(totalVotes))}</li>
        <li>
          {texts.created} <RelativeTime moment={poll.createdAt} /> <bdi>{texts.by(poll.createdByName)}</bdi>
        </li>
        {!closed && !begun && (
          <li>
            {texts.starts} <RelativeTime moment={poll.startsAt} />
          </li>
        )}
        {(closed || end !== null) && (
          <li>
            {closed ? texts.ended : texts.ends}
            {end !== null && (
              <>
                {' '}
                <RelativeTime moment={end} />
              </>
            )}
          </li>
        )}
      </ul>
    </header>
  );
}
