/**
 * Shapes of emblems as SVG path data. An emblem is 64 by 64; its motif has its base at y = 42 and stays within 24 of the
 * center. Angles are compass degrees: clockwise from straight up.
 */

/** A badge's motif. Solids are filled, lines and fine lines stroked, cuts drawn over solids in the background color. */
export interface Motif {
  readonly solid?: string;
  readonly line?: string;
  readonly fine?: string;
  readonly cut?: string;
}

type Point = readonly [x: number, y: number];

const figure = (value: number) => String(Math.round(value * 100) / 100);
const point = ([x, y]: Point) => `${figure(x)} ${figure(y)}`;

/** The point at a direction and distance from another. */
export function towards([x, y]: Point, degrees: number, distance: number): Point {
  const angle = ((degrees - 90) * Math.PI) / 180;
  return [x + Math.cos(angle) * distance, y + Math.sin(angle) * distance];
}

export function open(...points: readonly Point[]): string {
  return `M${points.map(point).join('L')}`;
}

export function shape(...points: readonly Point[]): string {
  return `${open(...points)}Z`;
}

/** A circle; a hole inside another solid. */
export function circle([x, y]: Point, radius: number): string {
  const r = figure(radius);
  const d = figure(radius * 2);
  return `M${point([x - radius, y])}a${r} ${r} 0 1 0 ${d} 0a${r} ${r} 0 1 0-${d} 0Z`;
}

/** A rectangle with rounded corners. */
export function box(x: number, y: number, width: number, height: number, radius = 0): string {
  const r = figure(radius);
  const corner = (dx: number, dy: number) =>
    radius === 0 ? '' : `a${r} ${r} 0 0 1 ${figure(dx * radius)} ${figure(dy * radius)}`;
  const w = figure(width - 2 * radius);
  const h = figure(height - 2 * radius);
  return `M${point([x + radius, y])}h${w}${corner(1, 1)}v${h}${corner(-1, 1)}h-${w}${corner(-1, -1)}v-${h}${corner(1, -1)}Z`;
}

/** `count` evenly spaced directions. */
export function around(count: number, first = 0): number[] {
  return Array.from({ length: count }, (_, index) => first + (index * 360) / count);
}

/** Lines radiating from a point. */
export function rays(middle: Point, from: number, to: number, directions: readonly number[]): string {
  return directions.map((angle) => open(towards(middle, angle, from), towards(middle, angle, to))).join('');
}

/** A star with one corner per direction; the radii alternate. */
export function star(middle: Point, radii: readonly number[], directions: readonly number[]): string {
  return shape(...directions.map((angle, index) => towards(middle, angle, radii[index % radii.length]!)));
}

/** Corners around a point, joined by arcs that bulge outward (`sweep` 1) or inward (0). */
export function scallop(middle: Point, radius: number, count: number, arc: number, sweep: 0 | 1): string {
  const [first, ...rest] = around(count, 180 / count).map((angle) => point(towards(middle, angle, radius)));
  const arcs = [...rest, first].map((corner) => `A${figure(arc)} ${figure(arc)} 0 0 ${sweep} ${corner}`);
  return `M${first}${arcs.join('')}Z`;
}
