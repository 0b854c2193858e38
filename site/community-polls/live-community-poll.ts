import * as limits from '#contract/limits.ts';
import { callApi } from '#site/client/api.ts';
import { deviceId } from '#site/client/device-id.ts';
import { keepRead } from '#site/client/early-reads.ts';
import { readerEvent } from '#site/client/reader-event.ts';
import { isClosed } from '#site/voting/ballot.ts';
import { showPoll } from '#site/voting/live-ballot.ts';
import { takeOverOnIntent } from '#site/voting/take-over.ts';

/** The page of a community poll before React: the live count, and the results if they are shown to this visitor. */
const root = document.querySelector<HTMLElement>('[data-app=community-poll]')!;
const { id = '', comments, starts = '' } = root.dataset;
const takeOver = takeOverOnIntent(root, async () => (await import('./mount-community-poll.ts')).mount);

const status = keepRead(
  'communityVoteStatus',
  callApi('communityVoteStatus', { params: { id }, query: { fingerprint: deviceId() } }),
).catch(() => undefined);
let timer: number | undefined;

async function refresh(): Promise<void> {
  const untilStart = Date.parse(starts) - Date.now();
  if (untilStart <= 0) {
    takeOver.start();
    return;
  }
  try {
    const poll = await keepRead('communityPoll', callApi('communityPoll', { params: { id } }));
    const voted = (await status)?.hasVoted === true;
    if (takeOver.mounted) return;
    const isCommented = poll.commentCount !== Number(comments);
    if (isCommented) dispatchEvent(new Event(readerEvent));
    // Results that show before a vote are drawn by React.
    const shows = poll.resultVisibility === 'always' && !isClosed(poll);
    // The creator has tools, and the discussion takes the number of comments from React’s cache.
    if (poll.isMine || shows || isCommented || (voted && !poll.hasVoted) || !showPoll(root, poll)) {
      takeOver.start();
      return;
    }
    const ms = isClosed(poll) ? limits.communityClosedRefetchMs : limits.communityRefetchMs;
    timer = window.setTimeout(whileVisible, untilStart < ms ? untilStart : spread(ms));
  } catch {
    // React shows what happened, and tries again.
    takeOver.start();
  }
}

/** So that the pages of a poll don’t refetch in step. */
const spread = (ms: number) => ms * (1 + limits.communityRefetchSpread * (2 * Math.random() - 1));

const whileVisible = () => {
  clearTimeout(timer);
  if (!takeOver.mounted && document.visibilityState === 'visible') void refresh();
};

document.addEventListener('visibilitychange', whileVisible);
void refresh();
