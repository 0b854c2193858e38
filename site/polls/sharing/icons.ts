import { vaneArrow, vaneMast, vaneRest } from '#site/ui/vane-geometry.ts';

/** An icon of the site; its size is in pixels. */
export interface Icon {
  readonly size: number;
  /** `rounded`: background with round corners. `full`: background to the edges, for systems that crop icons. */
  readonly ground: 'rounded' | 'full';
  /** The vane’s share of the width; up to 0.72 stays within every system’s safe circle. */
  readonly share: number;
}

/** By file name under /icons. */
export const icons = {
  'icon-192': { size: 192, ground: 'rounded', share: 0.86 },
  'icon-512': { size: 512, ground: 'rounded', share: 0.86 },
  'maskable-512': { size: 512, ground: 'full', share: 0.66 },
  'apple-touch': { size: 180, ground: 'full', share: 0.8 },
} as const satisfies Record<string, Icon>;

/** An icon as SVG. */
export function iconSvg({ size, ground, share }: Icon): string {
  const scale = (size * share) / 32;
  const corner = ground === 'rounded' ? size * 0.2 : 0;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}">`,
    `<rect width="${size}" height="${size}" rx="${corner}" fill="#f8f4eb"/>`,
    // The vane extends further above its pivot than below, so it is drawn a little lower.
    `<g transform="translate(${size / 2} ${size / 2 - scale}) scale(${scale})">`,
    `<path d="${vaneMast}" fill="none" stroke="#1c1a16" stroke-width="2.4" stroke-linecap="round"/>`,
    `<path d="${vaneArrow}" fill="#ab2f1b" transform="rotate(${vaneRest})"/>`,
    '</g></svg>',
  ].join('');
}

/** Wraps a PNG of up to 255 pixels in the ICO format. */
export function icoOf(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
