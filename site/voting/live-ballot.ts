import { percentWhole } from '#domain/percent.ts';
import { shortCode } from '#domain/verification/short-code.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { isClosed } from './ballot.ts';
import type { BallotData } from './ballot.ts';
import { receiptOf } from './receipts.ts';

/** Writes a count into an element, in place of the “#” in its singular or plural text (`data-one`, `data-other`). */
export function showCount(element: HTMLElement, count: number): void {
  const { one = '#', other = '#' } = element.dataset;
  element.textContent = (count === 1 ? one : other).replace('#', formatCount(count));
}

/**
 * Updates the pre-rendered HTML of an open poll for its visitor: the counts, and the results after the vote. False, without
 * a change, if that takes React.
 */
export function showPoll(part: HTMLElement, poll: BallotData): boolean {
  const ballot = part.querySelector<HTMLElement>(`[data-ballot='${poll.id}']`);
  if (!ballot || isClosed(poll)) return false;
  // The first voter gets a message instead of results.
  if (poll.hasVoted && poll.totalVotes === 1) return false;
  // Sentences about votes set aside or on hold, and about options that aren’t offered.
  const uncounted = (poll.setAsideVotes ?? 0) + (poll.heldVotes ?? 0);
  if (uncounted > 0 || ballot.querySelector('[data-figures]') !== null) return false;
  if (poll.hasVoted && ballot.querySelector('[data-part=note]:not(:empty)') !== null) return false;
  const bars = [...ballot.querySelectorAll<HTMLElement>('[data-part=results] li')];
  if (poll.hasVoted && (bars.length === 0 || poll.options.some(({ votes }) => votes === null))) return false;
  // The part may hold other ballots, too.
  for (const element of part.querySelectorAll<HTMLElement>('[data-total]'))
    if ((element.closest('[data-ballot]') ?? ballot) === ballot) showCount(element, poll.totalVotes);
  if (poll.hasVoted) showVoted(ballot, bars, poll);
  return true;
}

function showVoted(ballot: HTMLElement, bars: readonly HTMLElement[], poll: BallotData): void {
  const template = ballot.querySelector<HTMLTemplateElement>('template[data-part=voted]');
  const parts = template?.content.cloneNode(true) as DocumentFragment | undefined;
  template?.remove();
  for (const [place, bar] of bars.entries()) {
    const option = poll.options[place]!;
    const percent = percentWhole(option.votes!, poll.totalVotes);
    const [, share, track, notes] = bar.children;
    share!.textContent = formatPercent(percent, 0);
    track!.lastElementChild!.setAttribute('width', String(Math.min(100, percent)));
    showCount(notes!.firstElementChild as HTMLElement, option.votes!);
    const own = parts?.querySelector('[data-part=own]');
    if (option.id === poll.userVote && own) notes!.append(own);
  }
  if (!parts) return;
  const choices = ballot.querySelector<HTMLFieldSetElement>('[data-part=choices]')!;
  choices.disabled = true;
  const results = ballot.querySelector('[data-part=results]')!;
  for (const [layer, hidden] of [
    [choices, true],
    [results, false],
  ] as const) {
    layer.toggleAttribute('data-hidden', hidden);
    layer.setAttribute('aria-hidden', String(hidden));
  }
  ballot.querySelector('button[type=submit]')?.replaceWith(...parts.querySelector('[data-part=outcome]')!.childNodes);
  const receipt = receiptOf(poll.id);
  const note = parts.querySelector<HTMLElement>('[data-part=receipt]')?.firstElementChild;
  if (receipt === null || !note) return;
  note.lastElementChild!.textContent = shortCode(receipt);
  ballot.querySelector('[data-total]')!.after(note);
}
