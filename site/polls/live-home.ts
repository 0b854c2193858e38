import { callApi } from '#site/client/api.ts';
import { keepRead } from '#site/client/early-reads.ts';
import { watchStatistics } from '#site/client/live-statistics.ts';
import { showPoll } from '#site/voting/live-ballot.ts';
import { takeOverOnIntent } from '#site/voting/take-over.ts';

/** The home page before React: live figures, and the results of polls that this visitor has voted on. */
const root = document.querySelector<HTMLElement>('[data-app=polls]')!;
const takeOver = takeOverOnIntent(root, async () => (await import('./mount-active-polls.ts')).mount);
const published = root.querySelectorAll('[data-ballot]').length;

void watchStatistics();
keepRead('activePolls', callApi('activePolls')).then(
  (polls) => {
    if (takeOver.mounted) return;
    // React shows polls that have started or closed since the page was published, and the summary of a visitor’s answers.
    const isCurrent = polls.length === published && polls.every((poll) => showPoll(root, poll));
    if (!isCurrent || (polls.length > 1 && polls.every(({ hasVoted }) => hasVoted))) takeOver.start();
  },
  // React shows that the polls are those of the published page.
  takeOver.start,
);
if (published === 0) takeOver.start();
