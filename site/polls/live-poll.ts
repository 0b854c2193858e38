import { callApi } from '#site/client/api.ts';
import { deviceId } from '#site/client/device-id.ts';
import { keepRead } from '#site/client/early-reads.ts';
import { islandIn } from '#site/client/island.ts';
import { readPoll, refetchMs } from '#site/polls/voting/read-poll.ts';
import type { AnyPoll } from '#site/polls/voting/ballot.ts';
import { choiceHash, isClosed, rankField } from '#site/polls/voting/ballot.ts';
import { ballotsIn, showTotal } from '#site/polls/voting/live-ballot.ts';

/** The page of a poll before React: the live count. Visitors who have voted get React at once. */
const { root, isHydrated, hydrate } = ballotsIn('poll');
// A weekly poll has no comments.
const { id = '', comments, starts = '' } = root.parentElement!.dataset;
const community = comments !== undefined;
// A press in an embedded poll opened the page; the vote is confirmed here. A ranked option gets the first rank.
for (const control of root.querySelectorAll<HTMLInputElement>('fieldset [name]'))
  if (choiceHash(control.value || control.name.slice(rankField.length)) === location.hash) {
    control.checked = true;
    control.value ||= '1';
    control.dispatchEvent(new Event('change', { bubbles: true }));
  }

const read = () => readPoll(id, community);
const status = community
  ? keepRead(
      'voteStatus',
      callApi('communityVoteStatus', { params: { id }, query: { fingerprint: deviceId() } }),
    ).catch(() => undefined)
  : undefined;
let timer: number | undefined;

async function refresh(reading: Promise<AnyPoll>): Promise<void> {
  try {
    const poll = await keepRead('poll', reading);
    const voted = (await status)?.hasVoted === true;
    if (isHydrated()) return;
    const isCommented = community && poll.commentCount !== Number(comments);
    if (isCommented) islandIn('discussion').hydrate();
    // Results that show before a vote are drawn by React.
    const shows = poll.resultVisibility === 'always' && !isClosed(poll);
    // The creator has tools, and the discussion takes the number of comments from React’s cache.
    if (poll.isMine || shows || isCommented || voted || !showTotal(root, poll)) {
      hydrate();
      return;
    }
    const ms = refetchMs(poll, Math.random());
    const untilStart = Date.parse(starts) - Date.now();
    timer = window.setTimeout(whileVisible, untilStart < ms ? untilStart : ms);
  } catch {
    // React shows what happened, and tries again.
    hydrate();
  }
}

const whileVisible = () => {
  clearTimeout(timer);
  if (isHydrated() || document.visibilityState !== 'visible') return;
  if (Date.parse(starts) <= Date.now()) hydrate();
  else void refresh(read());
};

document.addEventListener('visibilitychange', whileVisible);
// The list has a weekly poll, too, and the one to answer next: after the vote, nothing is left to request.
void refresh(
  community
    ? read()
    : keepRead('activePolls', callApi('activePolls')).then(
        async (polls) => polls.find((poll) => poll.id === id) ?? (await read()),
      ),
);
