/** Colors of drawings that are not on a page, where they can’t follow the theme: the light theme of styles/tokens.css. */
export const lightColors = {
  ink: '#1c1a16',
  muted: '#625c51',
  paper: '#f8f4eb',
  sunken: '#ece5d6',
  hairline: '#dcd4c3',
  results: [
    '#014c86',
    '#0c7e51',
    '#864803',
    '#8255bb',
    '#1096cb',
    '#d36688',
    '#aa8804',
    '#28370f',
    '#75125a',
    '#21025b',
  ],
} as const;

/** How many colors results have; later options repeat them. */
const resultColors = lightColors.results.length;

/** Colors of a drawing by role; `result` takes a position in the poll’s own order, null for the sum of several options. */
export interface DrawingColors {
  readonly ink: string;
  readonly muted: string;
  readonly paper: string;
  readonly sunken: string;
  readonly hairline: string;
  result(position: number | null): string;
}

/** The name of the custom property with the color of an option. */
export function resultToken(position: number | null): string {
  return position === null ? '--muted' : `--result-${(position % resultColors) + 1}`;
}

/** For drawings in a page, which follow its theme. */
export const pageColors: DrawingColors = {
  ink: 'var(--ink)',
  muted: 'var(--muted)',
  paper: 'var(--paper)',
  sunken: 'var(--sunken)',
  hairline: 'var(--hairline)',
  result: (position) => `var(${resultToken(position)})`,
};

/** For drawings of their own: downloads, feeds, and share pictures. */
export const fileColors: DrawingColors = {
  ...lightColors,
  result: (position) => (position === null ? lightColors.muted : lightColors.results[position % resultColors]!),
};

/** Drawn over a color in a tile of 10 units, so that neighbors also differ without color. The first is plain. */
export const patterns = ['', 'M0 10 10 0M-2 2 2-2M8 12 12 8', 'M5 3.5v3M3.5 5h3', 'M0 5H10', 'M5 0V10'] as const;
