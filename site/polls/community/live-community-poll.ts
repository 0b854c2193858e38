import * as limits from '#contract/limits.ts';
import { callApi } from '#site/client/api.ts';
import { deviceId } from '#site/client/device-id.ts';
import { keepRead } from '#site/client/early-reads.ts';
import { islandIn } from '#site/client/island.ts';
import { isClosed } from '#site/polls/voting/ballot.ts';
import { ballotsIn, showPoll } from '#site/polls/voting/live-ballot.ts';

/** The page of a community poll before React: the live count, and the results if they are shown to this visitor. */
const { root, isHydrated, hydrate } = ballotsIn('community-poll');
const { id = '', comments, starts = '' } = root.parentElement!.dataset;

const status = keepRead(
  'communityVoteStatus',
  callApi('communityVoteStatus', { params: { id }, query: { fingerprint: deviceId() } }),
).catch(() => undefined);
let timer: number | undefined;

async function refresh(): Promise<void> {
  const untilStart = Date.parse(starts) - Date.now();
  if (untilStart <= 0) {
    hydrate();
    return;
  }
  try {
    const poll = await keepRead('communityPoll', callApi('communityPoll', { params: { id } }));
    const voted = (await status)?.hasVoted === true;
    if (isHydrated()) return;
    const isCommented = poll.commentCount !== Number(comments);
    if (isCommented) islandIn('discussion').hydrate();
    // Results that show before a vote are drawn by React.
    const shows = poll.resultVisibility === 'always' && !isClosed(poll);
    // The creator has tools, and the discussion takes the number of comments from React’s cache.
    if (poll.isMine || shows || isCommented || (voted && !poll.hasVoted) || !showPoll(root, poll)) {
      hydrate();
      return;
    }
    const ms = isClosed(poll) ? limits.communityClosedRefetchMs : limits.communityRefetchMs;
    timer = window.setTimeout(whileVisible, untilStart < ms ? untilStart : spread(ms));
  } catch {
    // React shows what happened, and tries again.
    hydrate();
  }
}

/** So that the pages of a poll don’t refetch in step. */
const spread = (ms: number) => ms * (1 + limits.communityRefetchSpread * (2 * Math.random() - 1));

const whileVisible = () => {
  clearTimeout(timer);
  if (!isHydrated() && document.visibilityState === 'visible') void refresh();
};

document.addEventListener('visibilitychange', whileVisible);
void refresh();
