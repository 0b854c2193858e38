import * as limits from '#contract/limits.ts';
import { callApi } from '#site/client/api.ts';
import { keepRead } from '#site/client/early-reads.ts';
import { showPoll } from '#site/voting/live-ballot.ts';
import { takeOverOnIntent } from '#site/voting/take-over.ts';

/** The page of an open poll before React: counts every 30 seconds, and the results if this visitor has voted. */
const root = document.querySelector<HTMLElement>('[data-app=poll]')!;
const { id = '' } = root.dataset;
const takeOver = takeOverOnIntent(root, async () => (await import('./mount-open-poll.ts')).mount);

const readPoll = () => callApi('poll', { params: { id } });
const refresh = (read = readPoll()) => {
  keepRead('poll', read).then(
    (poll) => {
      if (!takeOver.mounted && !showPoll(root, poll)) takeOver.start();
    },
    // React shows what happened.
    takeOver.start,
  );
};
// The list has this poll, too, and the one to answer next: after the vote, nothing is left to request.
refresh(
  keepRead('activePolls', callApi('activePolls')).then(
    async (polls) => polls.find((poll) => poll.id === id) ?? (await readPoll()),
  ),
);
const timer = setInterval(() => {
  if (takeOver.mounted) clearInterval(timer);
  else if (document.visibilityState === 'visible') refresh();
}, limits.pollRefetchMs);
