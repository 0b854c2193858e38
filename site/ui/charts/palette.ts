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

/** How many colors results have. */
const resultColors = lightColors.results.length;

/** Colors of a drawing by role; `result` takes the color of an answer from 0, null for the sum of several. */
export interface DrawingColors {
  readonly ink: string;
  readonly muted: string;
  readonly paper: string;
  readonly sunken: string;
  readonly hairline: string;
  result(color: number | null): string;
}

/** For drawings in a page, which follow its theme. */
export const pageColors: DrawingColors = {
  ink: 'var(--ink)',
  muted: 'var(--muted)',
  paper: 'var(--paper)',
  sunken: 'var(--sunken)',
  hairline: 'var(--hairline)',
  result: (color) => (color === null ? 'var(--muted)' : `var(--result-${(color % resultColors) + 1})`),
};

/** For drawings of their own: downloads, feeds, and share pictures. */
export const fileColors: DrawingColors = {
  ...lightColors,
  result: (color) => (color === null ? lightColors.muted : lightColors.results[color % resultColors]!),
};

/** Drawn over a color in a tile of 10 units, so that slices also differ without color: one for each. The first is plain. */
export const patterns = [
  ...['', 'M0 10 10 0M-2 2 2-2M8 12 12 8', 'M5 3.5v3M3.5 5h3', 'M0 5H10', 'M5 0V10'],
  ...['M0 0 10 10M8-2 12 2M-2 8 2 12', 'M0 5H10M5 0V10'],
] as const;
