import type { ChartSlice } from '#domain/poll-results.ts';

/** The drawing of a pie in its own units: SVG scales it, and the canvas that replaces it multiplies. */
export const pie = { width: 400, height: 240, x: 200, y: 120, radius: 82, font: 13 } as const;

/** Units from the pie to a label, and of a label’s height. */
const [gap, labelHeight] = [12, 18];

/** A slice with its place; angles in radians, clockwise from the top. */
export interface Wedge {
  readonly slice: ChartSlice;
  readonly from: number;
  readonly to: number;
  /** Where the line to the label begins. */
  readonly middle: number;
  /** Where its share stands. */
  readonly label: { readonly x: number; readonly y: number; readonly anchor: 'start' | 'end' };
}

/** The point at an angle, `distance` units from the center. */
export function pointAt(angle: number, distance: number): readonly [number, number] {
  return [pie.x + Math.sin(angle) * distance, pie.y - Math.cos(angle) * distance];
}

/** The wedges of a pie with labels beside it that don’t overlap; options without votes have none. */
export function pieLayout(slices: readonly ChartSlice[]): readonly Wedge[] {
  const drawn = slices.filter(({ value }) => value > 0);
  const total = drawn.reduce((sum, { value }) => sum + value, 0);
  let before = 0;
  const wedges = drawn.map((slice) => {
    const from = (before / total) * 2 * Math.PI;
    before += slice.value;
    const to = (before / total) * 2 * Math.PI;
    const middle = drawn.length === 1 ? Math.PI / 2 : (from + to) / 2;
    return { slice, from, to, middle, right: Math.sin(middle) >= 0, y: pointAt(middle, pie.radius + gap)[1] };
  });
  const placed = new Map<ChartSlice, number>();
  for (const right of [true, false]) {
    const side = wedges.filter((wedge) => wedge.right === right).toSorted((a, b) => a.y - b.y);
    spread(
      side.map(({ y }) => y),
      side.map(() => labelHeight),
      pie.height,
    ).forEach((y, index) => placed.set(side[index]!.slice, y));
  }
  return wedges.map(({ slice, from, to, middle, right }) => {
    const y = placed.get(slice) ?? pie.y;
    const x = right ? pie.x + pie.radius + gap : pie.x - pie.radius - gap;
    return { slice, from, to, middle, label: { x, y, anchor: right ? 'start' : 'end' } };
  });
}

/** Moves the sorted middles of labels with these heights apart and between 0 and `end`. */
export function spread(sorted: readonly number[], heights: readonly number[], end: number): readonly number[] {
  const middles = [...sorted];
  let edge = 0;
  for (const [index, height] of heights.entries()) {
    middles[index] = Math.max(middles[index]!, edge + height / 2);
    edge = middles[index] + height / 2;
  }
  edge = end;
  for (const [index, height] of [...heights.entries()].toReversed()) {
    middles[index] = Math.min(middles[index]!, edge - height / 2);
    edge = middles[index] - height / 2;
  }
  return middles;
}
