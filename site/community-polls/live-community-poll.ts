import * as limits from '#contract/limits.ts';
import { hasAccountHint } from '#site/client/account-hint.ts';
import { callApi } from '#site/client/api.ts';
import { deviceId } from '#site/client/device-id.ts';
import { keepRead } from '#site/client/early-reads.ts';
import { showRelativeTimes } from '#site/client/show-relative-times.ts';
import { readerEvent } from '#site/client/reader-event.ts';
import { showPoll } from '#site/voting/live-ballot.ts';
import { takeOverOnIntent } from '#site/voting/take-over.ts';

/** The page of a community poll before React, for visitors who may still vote: the live count of votes. */
const root = document.querySelector<HTMLElement>('[data-app=community-poll]')!;
const { id = '', comments } = root.dataset;
const takeOver = takeOverOnIntent(root, async () => (await import('./mount-community-poll.ts')).mount);

const status = keepRead(
  'communityVoteStatus',
  callApi('communityVoteStatus', { params: { id }, query: { fingerprint: deviceId() } }),
).catch(() => undefined);
let timer: number | undefined;

async function refresh(): Promise<void> {
  try {
    const poll = await keepRead('communityPoll', callApi('communityPoll', { params: { id } }));
    const voted = poll.hasVoted || (await status)?.hasVoted === true;
    if (takeOver.mounted) return;
    if (poll.commentCount !== Number(comments)) dispatchEvent(new Event(readerEvent));
    // Results that show before a vote are drawn by React.
    const shows = poll.resultVisibility === 'always';
    if (voted || shows || poll.isMine || poll.commentCount !== Number(comments) || !showPoll(root, poll))
      takeOver.start();
    else timer = window.setTimeout(whileVisible, spread(limits.communityRefetchMs));
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
showRelativeTimes(root);
// Members may own the poll or take part in the discussion.
if (root.dataset.open === undefined || hasAccountHint()) takeOver.start();
void refresh();
