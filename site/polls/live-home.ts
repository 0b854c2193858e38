import { callApi } from '#site/client/api.ts';
import { keepRead } from '#site/client/early-reads.ts';
import { watchStatistics } from '#site/client/live-statistics.ts';
import { ballotsIn, showPoll } from '#site/polls/voting/live-ballot.ts';

/** The home page before React: live figures, and the results of polls that this visitor has voted on. */
const { root, isHydrated, hydrate } = ballotsIn('polls');
const published = root.querySelectorAll('[data-ballot]').length;

void watchStatistics();
keepRead('activePolls', callApi('activePolls')).then(
  (polls) => {
    if (isHydrated()) return;
    // Receipts may be of another installation.
    for (const { id, hasVoted } of polls)
      if (!hasVoted) document.getElementById(`card-${id}`)?.parentElement?.removeAttribute('data-folded');
    showProgress(polls.filter(({ hasVoted }) => hasVoted).length);
    // React shows polls that have started or closed since the page was published, and the summary of a visitor’s answers.
    const isCurrent = polls.length === published && polls.every((poll) => showPoll(root, poll));
    if (!isCurrent || (polls.length > 1 && polls.every(({ hasVoted }) => hasVoted))) hydrate();
  },
  // React shows that the polls are those of the published page.
  hydrate,
);
if (published === 0) hydrate();

/** How many of today’s polls are answered. */
function showProgress(answered: number): void {
  const progress = root.querySelector<HTMLElement>('[data-progress]');
  if (!progress || answered === 0) return;
  progress.textContent = (progress.dataset.progress ?? '').replace('#', String(answered));
  progress.hidden = false;
}
