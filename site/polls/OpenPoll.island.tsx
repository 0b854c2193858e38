import { useId } from 'react';
import type { Poll } from '#contract/poll.ts';
import { categoryLabel } from '#domain/poll-results.ts';
import { ApiError } from '#site/client/api.ts';
import { RetryButton } from '#site/client/RetryButton.tsx';
import { formatCount } from '#site/ui/format.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { ResultBars } from '#site/ui/ResultBars.tsx';
import { VoteFigures } from '#site/ui/VoteFigures.tsx';
import { voteFigureTexts } from '#texts/integrity.ts';
import { openPollTexts as texts } from '#texts/open-poll.ts';
import { pollNotFoundTexts } from '#texts/polls.ts';
import { CopyLink } from '#site/ui/CopyLink.tsx';
import { copyMessage, copyText, ShareButton } from '#site/ui/ShareButton.tsx';
import { toast } from '#site/ui/toasts.ts';
import { isClosed } from '#site/polls/voting/ballot.ts';
import { embedCodeTexts as embed } from '#texts/sharing.ts';
import styles from './OpenPoll.module.css';
import { useActivePolls, useOpenPoll } from './open-poll.ts';
import { VotingCard } from './VotingCard.tsx';

interface OpenPollProps {
  /** The poll when the page was published or rendered. */
  readonly poll: Poll;
  readonly publishedAt: string;
  /** The page’s public address. */
  readonly url: string;
  /** HTML that embeds the poll on other sites. */
  readonly embedCode: string;
  /** The poll has not started; only people with a preview link can see it. */
  readonly preview?: boolean;
}

/** A poll whose report isn’t published yet: its results. */
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
      <VoteFigures poll={poll} />
      <p>
        <a className="button" href={`/poll/${poll.id}`}>
          {texts.openReport}
        </a>
      </p>
    </article>
  );
}

/** The page of an open poll: voting card, three figures, and sharing; refetched every 30 seconds. */
export default function OpenPoll({ poll: published, publishedAt, url, embedCode, preview = false }: OpenPollProps) {
  const { data: poll, error, isFetching } = useOpenPoll(published, publishedAt);
  // For what is shown after the vote.
  useActivePolls([], publishedAt);
  const closed = isClosed(poll);

  if (error instanceof ApiError && (error.code === 'POLL_NOT_FOUND' || error.code === 'POLL_DELETED'))
    return (
      <div className="notice" role="alert">
        <h1 className="notice__title">{pollNotFoundTexts.title}</h1>
        <p className="notice__text">{pollNotFoundTexts.text}</p>
        <a className="button" href="/">
          {pollNotFoundTexts.back}
        </a>
      </div>
    );

  return (
    <div className={styles.layout}>
      {closed ? <JustClosed poll={poll} /> : <VotingCard poll={poll} variant="page" />}
      <div className={styles.side}>
        <dl className={styles.tiles} aria-label={texts.tilesHeading}>
          <div>
            <dt>{texts.totalVotes}</dt>
            <dd data-total>{formatCount(poll.totalVotes)}</dd>
          </div>
          <div>
            <dt>{texts.status}</dt>
            <dd>{closed ? texts.statusHistorical : preview ? texts.statusScheduled : texts.statusActive}</dd>
          </div>
          <div>
            <dt>{closed ? texts.ended : preview ? texts.starts : texts.ends}</dt>
            <dd>
              <RelativeTime moment={preview ? poll.startsAt : (poll.closedAt ?? poll.endsAt)} isDeadline />
            </dd>
          </div>
        </dl>
        {poll.publishBallots === false && <p className="muted small">{voteFigureTexts.unpublished}</p>}
        {!preview && <ShareBox question={poll.question} url={url} embedCode={embedCode} />}
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

interface ShareBoxProps {
  readonly question: string;
  readonly url: string;
  readonly embedCode: string;
}

/** Link, share sheet, and embed code of a poll. */
function ShareBox({ question, url, embedCode }: ShareBoxProps) {
  const id = useId();
  const handleCopyCode = async () => toast(copyMessage(await copyText(embedCode)));
  return (
    <section className={`no-print ${styles.share}`} aria-labelledby={id}>
      <h2 id={id} className={styles.shareHeading}>
        {texts.shareHeading}
      </h2>
      <CopyLink url={url} label={texts.shareLabel} ready />
      <ShareButton title={question} url={url} ready className="button--wide" />
      <details className={`fold ${styles.embed}`}>
        <summary>{embed.heading}</summary>
        <p className="muted small">{embed.note}</p>
        <textarea
          className="input"
          rows={5}
          readOnly
          spellCheck={false}
          dir="ltr"
          aria-label={embed.label}
          value={embedCode}
        />
        <button type="button" className="button button--small js-only" onClick={() => void handleCopyCode()}>
          {embed.copy}
        </button>
      </details>
    </section>
  );
}
