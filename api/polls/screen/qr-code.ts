import encodeQR from 'qr';

/**
 * A QR code as the path of an SVG: its dark parts, in squares of one unit, with the margin that scanners need. A screen is clean, so
 * it repairs little, and its squares are larger.
 */
export function qrCode(text: string): { readonly size: number; readonly path: string } {
  const rows = encodeQR(text, 'raw', { ecc: 'low', border: 4 });
  const runs = (row: readonly boolean[]) =>
    row
      .map((isDark) => (isDark ? '1' : '0'))
      .join('')
      .matchAll(/1+/g);
  const path = rows.flatMap((row, y) =>
    Array.from(runs(row), ({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`),
  );
  return { size: rows.length, path: path.join('') };
}
