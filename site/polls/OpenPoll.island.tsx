import type { Poll } from '#contract/poll.ts';
import { categoryLabel } from '#domain/poll-results.ts';
import { ApiError } from '#site/client/api.ts';
import { RetryButton } from '#site/client/RetryButton.tsx';
import { formatCount } from '#site/ui/format.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { ResultBars } from '#site/ui/ResultBars.tsx';
import { pollTexts } from '#texts/polls.ts';
import styles from './OpenPoll.module.css';
import { ShareBox } from './ShareBox.tsx';
import { isClosed, useOpenPoll } from './use-open-poll.ts';
import { VotingCard } from './VotingCard.tsx';

const texts = pollTexts.page;

interface OpenPollProps {
  /** The poll when the page was published or rendered. */
  readonly poll: Poll;
  readonly publishedAt: string;
  /** The page's public address. */
  readonly url: string;
  /** The poll has not started, and nobody but the holder of a preview link may know of it. */
  readonly preview?: boolean;
}

/** A poll that closed while its page was still that of an open one: the results, until the report is published. */
function JustClosed({ poll }: { readonly poll: Poll }) {
  return (
    <article className={`card ${styles.closed}`}>
      <p className="row">
        <span className="tag tag--solid">{texts.closedTitle}</span>
        {poll.category !== null && poll.category !== '' && (
          <span className="kicker kicker--quiet" dir="auto">
            {categoryLabel(poll.category)}
          </span>
        )}
      </p>
      <h1 dir="auto">{poll.question}</h1>
      <p className="lede">{texts.closedText}</p>
      <ResultBars options={poll.options} totalVotes={poll.totalVotes} userVote={poll.userVote} decimals={1} />
      <p>
        <a className="button" href={`/poll/${poll.id}`}>
          {texts.openReport}
        </a>
      </p>
    </article>
  );
}

/** The page of an open poll: voting card, three figures and the link to share, looked at again every 30 s. */
export default function OpenPoll({ poll: published, publishedAt, url, preview = false }: OpenPollProps) {
  const { data: poll, error, isFetching } = useOpenPoll(published, publishedAt);
  const closed = isClosed(poll);

  if (error instanceof ApiError && error.code === 'POLL_NOT_FOUND')
    return (
      <div className="notice" role="alert">
        <h1 className="notice__title">{pollTexts.notFound.title}</h1>
        <p className="notice__text">{pollTexts.notFound.text}</p>
        <a className="button" href="/">
          {pollTexts.notFound.back}
        </a>
      </div>
    );

  return (
    <div className={styles.layout}>
      {closed ? <JustClosed poll={poll} /> : <VotingCard poll={poll} place="page" />}
      <div className={styles.side}>
        <dl className={styles.tiles} aria-label={texts.tilesHeading}>
          <div>
            <dt>{texts.totalVotes}</dt>
            <dd>{formatCount(poll.totalVotes)}</dd>
          </div>
          <div>
            <dt>{texts.status}</dt>
            <dd>{closed ? texts.statusHistorical : preview ? texts.statusScheduled : texts.statusActive}</dd>
          </div>
          <div>
            <dt>{closed ? texts.ended : preview ? texts.starts : texts.ends}</dt>
            <dd>
              <RelativeTime moment={preview ? poll.startsAt : (poll.closedAt ?? poll.endsAt)} />
            </dd>
          </div>
        </dl>
        {!preview && <ShareBox url={url} poll={poll} />}
        {error && (
          <div className={styles.stale} role="alert">
            <p>{texts.stale}</p>
            <RetryButton pending={isFetching} small />
          </div>
        )}
      </div>
    </div>
  );
}
