import { callApi } from '#site/client/api.ts';
import { keepRead } from '#site/client/early-reads.ts';
import { watchStatistics } from '#site/client/live-statistics.ts';
import { ballotsIn, showTotal } from '#site/polls/voting/live-ballot.ts';

/** The home page before React: live figures. Visitors who have voted on one of the polls get React at once. */
const { root, isHydrated, hydrate } = ballotsIn('polls');
const published = root.querySelectorAll('[data-ballot]').length;

void watchStatistics();
keepRead('activePolls', callApi('activePolls')).then(
  (polls) => {
    if (isHydrated()) return;
    // Polls have started or closed since the page was published, or cards are folded for receipts of another installation.
    const isCurrent = polls.length === published && root.querySelector('[data-folded]') === null;
    if (!isCurrent || !polls.every((poll) => showTotal(root, poll))) hydrate();
  },
  // React shows that the polls are those of the published page.
  hydrate,
);
if (published === 0) hydrate();
