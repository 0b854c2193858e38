type Pen = CanvasRenderingContext2D;

const tile = 10;

/** Drawn over the colour of a slice, so that neighbours differ without colour too. The first is plain. */
const patterns: readonly ((pen: Pen) => void)[] = [
  () => undefined,
  // Diagonal lines; the corners close the seams between tiles.
  (pen) => {
    pen.moveTo(0, tile);
    pen.lineTo(tile, 0);
    pen.moveTo(-2, 2);
    pen.lineTo(2, -2);
    pen.moveTo(tile - 2, tile + 2);
    pen.lineTo(tile + 2, tile - 2);
  },
  // Dots.
  (pen) => {
    pen.moveTo(tile / 2 + 1.5, tile / 2);
    pen.arc(tile / 2, tile / 2, 1.5, 0, 2 * Math.PI);
  },
  // Horizontal lines.
  (pen) => {
    pen.moveTo(0, tile / 2);
    pen.lineTo(tile, tile / 2);
  },
  // Squares.
  (pen) => {
    pen.rect(0.5, 0.5, tile, tile);
  },
  // Vertical lines.
  (pen) => {
    pen.moveTo(tile / 2, 0);
    pen.lineTo(tile / 2, tile);
  },
];

/** The fill of a slice: the result colour of its position (purple from the fourth on), with a pattern over it. */
export function chartFill(position: number, token: (name: string) => string): string | CanvasPattern {
  const colour = token(`--result-${Math.min(position + 1, 4)}`);
  const draw = patterns[position % patterns.length];
  const canvas = document.createElement('canvas');
  canvas.width = tile;
  canvas.height = tile;
  const pen = canvas.getContext('2d');
  if (!pen || !draw) return colour;
  pen.fillStyle = colour;
  pen.fillRect(0, 0, tile, tile);
  pen.strokeStyle = token('--paper');
  pen.globalAlpha = 0.55;
  pen.lineWidth = 1.5;
  pen.beginPath();
  draw(pen);
  pen.stroke();
  return pen.createPattern(canvas, 'repeat') ?? colour;
}
