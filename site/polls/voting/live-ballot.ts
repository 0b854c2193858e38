import { percentWhole } from '#domain/percent.ts';
import { shortCode } from '#domain/verification/short-code.ts';
import { islandIn } from '#site/client/island.ts';
import type { PageIsland } from '#site/client/island.ts';
import { formatCount, formatPercent } from '#site/ui/format-count.ts';
import { vaneAngle } from '#site/ui/vane-angle.ts';
import { isClosed } from './ballot.ts';
import type { AnyPoll } from './ballot.ts';
import { receiptOf } from './receipts.ts';

/** The island with ballots in the part of the page with this `data-app`. Until React is there, their buttons require a choice. */
export function ballotsIn(app: string): PageIsland {
  const island = islandIn(app);
  const requireChoice = () => {
    if (island.isHydrated()) return;
    for (const form of island.root.querySelectorAll('form')) {
      const button = form.querySelector<HTMLButtonElement>('button[type=submit]');
      if (!button) continue;
      button.disabled = form.querySelector('input:checked') === null;
      button.removeAttribute('aria-disabled');
    }
  };
  requireChoice();
  island.root.addEventListener('change', requireChoice);
  // The browser may restore a choice.
  addEventListener('pageshow', requireChoice);
  return island;
}

/** Writes a count into an element, in place of the “#” in its singular or plural text (`data-one`, `data-other`). */
export function showCount(element: HTMLElement, count: number): void {
  const { one = '#', other = '#' } = element.dataset;
  element.textContent = (count === 1 ? one : other).replace('#', formatCount(count));
}

/**
 * Updates the pre-rendered HTML of a poll for its visitor: the counts, and the results and the choice after a vote. False,
 * without a change, if that takes React.
 */
export function showPoll(part: HTMLElement, poll: AnyPoll): boolean {
  const ballot = part.querySelector<HTMLElement>(`[data-ballot='${poll.id}']`);
  if (!ballot || isClosed(poll) !== (ballot.dataset.state === 'closed')) return false;
  // The first voter gets a message instead of results.
  if (poll.hasVoted && poll.totalVotes === 1) return false;
  // Sentences about votes set aside or on hold, and about options that aren’t offered.
  const uncounted = (poll.setAsideVotes ?? 0) + (poll.heldVotes ?? 0);
  if (uncounted > 0 || poll.independent !== undefined || ballot.querySelector('[data-figures]') !== null) return false;
  if (poll.hasVoted && ballot.querySelector('[data-part=note]:not(:empty)') !== null) return false;
  const isDecided = poll.hasVoted || isClosed(poll);
  // Results may be withheld, even after the end.
  const shows = isDecided && poll.options.every(({ votes }) => votes !== null);
  const isDrawn = ballot.querySelector('[data-part=results] svg') !== null;
  if (poll.hasVoted && !shows) return false;
  if (isDecided && ballot.dataset.state !== 'unvoted' && shows !== isDrawn) return false;
  if (poll.hasVoted && poll.options.every(({ id }) => id !== poll.userVote)) return false;
  if (poll.hasVoted) showVoted(ballot, poll);
  // The part may hold other ballots, too.
  for (const element of part.querySelectorAll<HTMLElement>('[data-total]'))
    if ((element.closest('[data-ballot]') ?? ballot) === ballot) showCount(element, poll.totalVotes);
  if (shows) showResults(ballot, poll);
  return true;
}

/** Shows the results and this visitor’s choice in place of the options; does nothing the second time. */
function showVoted(ballot: HTMLElement, poll: AnyPoll): void {
  const template = ballot.querySelector<HTMLTemplateElement>('template[data-part=voted]');
  if (!template) return;
  template.remove();
  const parts = template.content;
  const part = (name: string) => parts.querySelector<HTMLElement>(`[data-part=${name}]`);
  const place = poll.options.findIndex(({ id }) => id === poll.userVote);

  const choices = ballot.querySelector<HTMLFieldSetElement>('[data-part=choices]')!;
  const hidden = part('results');
  // Where counts are withheld until the vote, the results are in the template only.
  if (hidden) {
    choices.after(hidden);
    ballot.querySelector('[data-part=total]')!.prepend(parts.querySelector('[data-total]')!);
  }
  const results = ballot.querySelector('[data-part=results]')!;
  choices.disabled = true;
  for (const [layer, isHidden] of [
    [choices, true],
    [results, false],
  ] as const) {
    layer.toggleAttribute('data-hidden', isHidden);
    layer.setAttribute('aria-hidden', String(isHidden));
  }
  const head = part('head');
  const chosen = part('chosen');
  if (chosen) chosen.textContent = poll.options[place]!.text;
  if (head) ballot.querySelector('[data-part=head]')!.replaceWith(head);
  if (!results.querySelector('[data-part=own]'))
    results.querySelectorAll('li')[place]!.lastElementChild!.append(part('own')!);
  ballot.querySelector('button[type=submit]')?.replaceWith(...part('outcome')!.childNodes);

  const receipt = receiptOf(poll.id);
  const note = part('receipt')!.firstElementChild!;
  if (receipt === null) return;
  note.lastElementChild!.textContent = shortCode(receipt);
  ballot.querySelector('[data-total]')!.after(note);
}

function showResults(ballot: HTMLElement, poll: AnyPoll): void {
  for (const [place, bar] of ballot.querySelectorAll('[data-part=results] li').entries()) {
    const { votes } = poll.options[place]!;
    const percent = percentWhole(votes!, poll.totalVotes);
    const [, share, track, notes] = bar.children;
    share!.textContent = formatPercent(percent, 0);
    track!.lastElementChild!.setAttribute('width', String(Math.min(100, percent)));
    showCount(notes!.firstElementChild as HTMLElement, votes!);
  }
  const vane = ballot.querySelector('.vane');
  const leading = Math.max(...poll.options.map(({ votes }) => votes!));
  if (!vane || leading === 0) return;
  vane.querySelector('.vane__arrow')!.setAttribute('transform', `rotate(${vaneAngle(leading / poll.totalVotes)})`);
  const { vane: label = '' } = ballot.querySelector<HTMLElement>('[data-vane]')!.dataset;
  vane.setAttribute('aria-label', label.replace('#', formatPercent(percentWhole(leading, poll.totalVotes), 0)));
}
