import { islandIn } from '#site/client/island.ts';
import type { PageIsland } from '#site/client/island.ts';
import { formatCount } from '#site/ui/format-count.ts';
import { isClosed } from './ballot.ts';
import type { AnyPoll } from './ballot.ts';

/** The island with ballots in the part of the page with this `data-app`. Until React is there, their buttons require a choice. */
export function ballotsIn(app: string): PageIsland {
  const island = islandIn(app);
  const requireChoice = () => {
    if (island.isHydrated()) return;
    for (const form of island.root.querySelectorAll('form')) {
      const button = form.querySelector<HTMLButtonElement>('button[type=submit]');
      if (!button) continue;
      const { least, most } = form.querySelector('fieldset')!.dataset;
      const { length: chosen } = form.querySelectorAll(':checked:not([value=""])');
      button.disabled = chosen < Number(least) || chosen > Number(most);
      button.removeAttribute('aria-disabled');
    }
  };
  requireChoice();
  island.root.addEventListener('change', requireChoice);
  // The browser may restore a choice.
  addEventListener('pageshow', requireChoice);
  return island;
}

/** A count in place of the “#” in the singular or plural text of an element (`data-one`, `data-other`). */
function countText({ dataset: { one = '#', other = '#' } }: HTMLElement, count: number): string {
  return (count === 1 ? one : other).replace('#', formatCount(count));
}

/** Writes that count into the element. */
export function showCount(element: HTMLElement, count: number): void {
  element.textContent = countText(element, count);
}

/**
 * Shows how many votes a poll has in its pre-rendered HTML. False, without a change, if its visitor sees more than that, which
 * takes React: the results after a vote or the end, and what became of votes.
 */
export function showTotal(part: HTMLElement, poll: AnyPoll): boolean {
  const ballot = part.querySelector<HTMLElement>(`[data-ballot='${poll.id}']`);
  const closed = isClosed(poll);
  if (!ballot || poll.hasVoted || closed !== (ballot.dataset.state === 'closed')) return false;
  // Sentences about votes set aside or on hold.
  const uncounted = (poll.setAsideVotes ?? 0) + (poll.heldVotes ?? 0);
  if (uncounted > 0 || poll.independent !== undefined || ballot.querySelector('[data-figures]') !== null) return false;
  // The part may hold other ballots, too.
  const totals = Array.from(part.querySelectorAll<HTMLElement>('[data-total]')).filter(
    (element) => (element.closest('[data-ballot]') ?? ballot) === ballot,
  );
  const isDrawn = ballot.querySelector('[data-part=results] svg') !== null;
  const isWithheld = poll.options.some(({ votes }) => votes === null);
  const hasChanged = totals.some((element) => element.textContent !== countText(element, poll.totalVotes));
  if (closed && (isDrawn === isWithheld || hasChanged)) return false;
  for (const element of totals) showCount(element, poll.totalVotes);
  return true;
}
