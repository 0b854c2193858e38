/**
 * Parts that emblems are drawn from, as SVG path data. A picture is 64 by 64 with the figure standing on y = 42 and
 * staying within 24 of the middle. Angles are degrees, clockwise from straight up, as on a compass.
 */

/** What a badge shows. Solids are filled, lines and fine lines stroked, cuts drawn into solids in the colour behind them. */
export interface Motif {
  readonly solid?: string;
  readonly line?: string;
  readonly fine?: string;
  readonly cut?: string;
}

type Point = readonly [x: number, y: number];

const figure = (value: number) => String(Math.round(value * 100) / 100);
const point = ([x, y]: Point) => `${figure(x)} ${figure(y)}`;

/** The point in a direction and at a distance from another. */
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

/** A circle; inside another solid it is a hole. */
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

/** Directions of `count` things all around. */
export function around(count: number, first = 0): number[] {
  return Array.from({ length: count }, (_, index) => first + (index * 360) / count);
}

/** Lines that lead away from a point. */
export function rays(middle: Point, from: number, to: number, directions: readonly number[]): string {
  return directions.map((angle) => open(towards(middle, angle, from), towards(middle, angle, to))).join('');
}

/** A star: the radii take turns, one corner for each direction. */
export function star(middle: Point, radii: readonly number[], directions: readonly number[]): string {
  return shape(...directions.map((angle, index) => towards(middle, angle, radii[index % radii.length]!)));
}

/** Corners around a point, with arcs between them that bulge out (`sweep` 1) or in (0). */
export function scallop(middle: Point, radius: number, count: number, arc: number, sweep: 0 | 1): string {
  const [first, ...rest] = around(count, 180 / count).map((angle) => point(towards(middle, angle, radius)));
  const arcs = [...rest, first].map((corner) => `A${figure(arc)} ${figure(arc)} 0 0 ${sweep} ${corner}`);
  return `M${first}${arcs.join('')}Z`;
}
