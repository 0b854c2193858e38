import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore, useId } from 'react';
import type { CommunityPoll as Poll, CommunityPoll } from '#contract/community-poll.ts';
import { queryClient } from '#site/client/query-client.ts';
import { RetryButton } from '#site/client/RetryButton.tsx';
import { keepToast } from '#site/ui/kept-toast.ts';
import { communityPollTexts as texts } from '#texts/community-poll.ts';
import { voteFigureTexts } from '#texts/integrity.ts';
import { communityCategories } from '#contract/vocabulary.ts';
import type { Protection } from '#contract/vocabulary.ts';
import { formatCount } from '#site/ui/format.ts';
import { MemberName } from '#site/ui/MemberName.tsx';
import { WrittenText } from '#site/ui/WrittenText.tsx';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { CopyLink } from '#site/ui/CopyLink.tsx';
import { ShareButton } from '#site/ui/ShareButton.tsx';
import { isClosed } from '#site/polls/voting/ballot.ts';
import { communityPath, communityAddress, firstCommunityView } from './community-list-view.ts';
import styles from './CommunityPoll.module.css';
import { CommunityPollProblem } from './CommunityPollProblem.tsx';
import { CommunityPollVote } from './CommunityPollVote.tsx';
import { problemOf, useCommunityPoll } from './community-poll.ts';
import { ReportPoll } from './ReportPoll.tsx';
import { VisibilityIcon } from './VisibilityIcon.tsx';

interface CommunityPollProps {
  /** The poll when the page was rendered. */
  readonly poll: Poll;
  readonly readAt: string;
  /** Voting had started by the server’s clock. */
  readonly started: boolean;
  /** The page's public address. */
  readonly url: string;
  /** The levels of protection that this site offers. */
  readonly protections: readonly Protection[];
}

const tickMs = 1_000;

/** Whether voting has started, at rendering or since. */
function useStarted(startsAt: string, startedAtRender: boolean): boolean {
  const subscribe = (tick: () => void) => {
    if (startedAtRender) return () => undefined;
    const timer = setInterval(tick, tickMs);
    return () => clearInterval(timer);
  };
  const now = useSyncExternalStore(
    subscribe,
    () => Date.now() >= Date.parse(startsAt),
    () => false,
  );
  return startedAtRender || now;
}

/** The creator’s tools, which nobody else’s browser loads; data is undefined until they are loaded. */
const useCreatorTools = (isMine: boolean) =>
  useQuery(
    {
      queryKey: ['creatorTools'],
      queryFn: () => import('./creator-tools.ts'),
      enabled: isMine,
      refetchOnMount: false,
    },
    queryClient(),
  );

/** One community poll: description, voting, live results, sharing, and the creator’s tools. */
export default function CommunityPoll(props: CommunityPollProps) {
  const { poll: rendered, readAt, started: startedAtRender, url, protections } = props;
  const { data: poll, error, isFetching } = useCommunityPoll(rendered, readAt);
  const started = useStarted(poll.startsAt, startedAtRender);
  const tools = useCreatorTools(poll.isMine);
  const problem = problemOf(error);
  if (problem !== null) return <CommunityPollProblem kind={problem} path={`${communityPath}/${poll.id}`} live />;
  const creator = poll.isMine ? tools.data : undefined;
  return (
    <>
      <article className={styles.poll}>
        <CommunityPollHead poll={poll} started={started} />
        <CommunityPollVote poll={poll} started={started} />
        {(error ?? tools.error) && (
          <div className={styles.stale} role="alert">
            <p>{error ? texts.stale : texts.toolsFailed}</p>
            <RetryButton pending={isFetching || tools.isFetching} small />
          </div>
        )}
      </article>
      <div className={`no-print ${styles.side}`}>
        {creator && poll.visibility === 'private' && <creator.InvitesPanel pollId={poll.id} />}
        {creator && <creator.OwnFlags pollId={poll.id} />}
        {creator && <creator.BlockedMembers pollId={poll.id} />}
        <CommunityPollShare poll={poll} url={url} />
        {creator && (
          <creator.CommunityPollTools
            poll={poll}
            protections={protections}
            onDeleted={() => {
              keepToast({ title: texts.toasts.deleted, text: texts.toasts.deletedText });
              location.assign(communityPath);
            }}
          />
        )}
      </div>
    </>
  );
}

interface CommunityPollHeadProps {
  readonly poll: CommunityPoll;
  readonly started: boolean;
}

/** Visibility, category, question, description, and facts of a community poll. */
function CommunityPollHead({ poll, started }: CommunityPollHeadProps) {
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
        <span className="tag tag--solid">{closed ? texts.closed : started ? texts.active : texts.notStarted}</span>
      </p>
      <h1 className={styles.question} dir="auto">
        {question}
      </h1>
      {description !== '' && <WrittenText text={description} />}
      {poll.publishBallots === false && <p className="muted small">{voteFigureTexts.unpublished}</p>}
      <ul className={styles.facts} aria-label={texts.facts}>
        <li className="figure" data-total data-one={texts.votes(1, '#')} data-other={texts.votes(2, '#')}>
          {texts.votes(totalVotes, formatCount(totalVotes))}
        </li>
        <li>
          {texts.created} <RelativeTime moment={poll.createdAt} /> {texts.by} <Creator poll={poll} />
        </li>
        {poll.editedAt !== undefined && (
          <li>
            <a href={`${communityPath}/${poll.id}/history`}>
              {texts.edited} <RelativeTime moment={poll.editedAt} />
            </a>
          </li>
        )}
        {!closed && !started && (
          <li>
            {texts.starts} <RelativeTime moment={poll.startsAt} isDeadline />
          </li>
        )}
        {(closed || end !== null) && (
          <li>
            {closed ? texts.ended : texts.ends}
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

interface CommunityPollShareProps {
  readonly poll: CommunityPoll;
  /** The page's public address. */
  readonly url: string;
}

/** The link to share, and who can open it. */
function CommunityPollShare({ poll, url }: CommunityPollShareProps) {
  const id = useId();
  const note =
    poll.visibility === 'public'
      ? undefined
      : poll.visibility === 'unlisted'
        ? texts.share.unlisted
        : poll.isMine
          ? texts.share.private
          : texts.share.guest;
  return (
    <section className={styles.box} aria-labelledby={id}>
      <h2 id={id} className={styles.boxHeading}>
        {texts.share.heading}
      </h2>
      {note !== undefined && <p className={styles.boxNote}>{note}</p>}
      <CopyLink url={url} label={texts.share.label} ready />
      {poll.visibility === 'public' && <ShareButton title={poll.question} url={url} ready className="button--wide" />}
      {!poll.isMine && <ReportPoll poll={poll} />}
    </section>
  );
}
