/** What a mixed load sends. */
export type Sent = 'page' | 'read' | 'vote';

/** Of fifty requests in a row, four are reads of the API and one is a vote; all others are pages. */
const round = 50;
const reads = new Set([5, 17, 30, 42]);
const vote = 24;

/** What is sent at a place of the mix: the same every time. */
export function sentAt(place: number): Sent {
  const turn = place % round;
  if (turn === vote) return 'vote';
  return reads.has(turn) ? 'read' : 'page';
}

/** How many of what stood at the places before this one: the next of its kind takes the next poll or path. */
export function countBefore(place: number, sent: Sent): number {
  const places = Array.from({ length: round }, (_, turn) => turn);
  const inRound = places.filter((turn) => sentAt(turn) === sent).length;
  const inThis = places.filter((turn) => turn < place % round && sentAt(turn) === sent).length;
  return Math.floor(place / round) * inRound + inThis;
}

/** Milliseconds after the begin at which an open page asks for the `nth` time (from 0): spread evenly over the cycle. */
export function dueAt(page: number, nth: number, { pages, cycleMs }: { pages: number; cycleMs: number }): number {
  return (page / pages + nth) * cycleMs;
}
