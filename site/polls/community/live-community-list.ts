import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { creatorText } from '#domain/display-name.ts';
import { callApi } from '#site/client/api.ts';
import { keepRead } from '#site/client/early-reads.ts';
import type { PageIsland } from '#site/client/island.ts';
import { showCount } from '#site/polls/voting/live-ballot.ts';
import { communityPath } from '#site/polls/voting/ballot.ts';
import { phaseOf } from '#site/polls/list/listed-card.ts';
import { communityAddress, communityCallQuery, isPersonal, readCommunityView } from './community-list-view.ts';

/**
 * Shows authors, current counts, and the reader’s votes in the rendered lists. React replaces them if their polls have changed, if
 * the service isn’t available, which it reports, and for members, who have lists and a button of their own.
 */
export async function refreshLists({ root, hydrate }: PageIsland): Promise<void> {
  const view = readCommunityView(location.search);
  // Set by the head of the page (site/layouts/shell/head.ts).
  const isMember = document.documentElement.dataset.member !== undefined;
  if (view !== null && !isPersonal(view) && !isMember) {
    try {
      const [polls, featured] = await Promise.all([
        keepRead('communityPolls', callApi('communityPolls', { query: communityCallQuery(view) })),
        communityAddress(view) === communityPath
          ? keepRead('featuredCommunityPolls', callApi('featuredCommunityPolls'))
          : [],
      ]);
      if (showPolls(root, 'page', polls) && showPolls(root, 'featured', featured)) return;
    } catch {
      // React says so, and tries again.
    }
  }
  hydrate();
}

/** Whether the list has these polls, which it then shows as they are now. */
function showPolls(root: HTMLElement, name: 'page' | 'featured', polls: readonly CommunityPoll[]): boolean {
  const cards = [...root.querySelectorAll<HTMLElement>(`[data-list=${name}] [data-poll]`)];
  const isSame = polls.length === cards.length && polls.every((poll, place) => isShown(cards[place]!, poll));
  if (isSame) for (const [place, poll] of polls.entries()) showPoll(cards[place]!, poll);
  return isSame;
}

const isShown = (card: HTMLElement, poll: CommunityPoll) =>
  card.dataset.poll === poll.id &&
  card.dataset.phase === phaseOf(poll, Date.now()) &&
  card.querySelector('h3')!.textContent === poll.question;

function showPoll(card: HTMLElement, { totalVotes, commentCount, hasVoted, ...creator }: CommunityPoll): void {
  const part = (name: string) => card.querySelector<HTMLElement>(`[data-${name}]`)!;
  showCount(part('votes'), totalVotes);
  showCount(part('comments'), commentCount);
  part('comments').hidden = commentCount === 0;
  part('voted').hidden = !hasVoted;
  const by = part('by');
  by.textContent = by.dataset.by!.replace('#', () => creatorText(creator));
}
