import sharp from 'sharp';

/** A plain PNG file of `side` × `side` pixels. */
export async function pngFile(side = 40, color = '#3366cc'): Promise<Uint8Array<ArrayBuffer>> {
  const image = sharp({ create: { width: side, height: side, channels: 3, background: color } });
  return Uint8Array.from(await image.png().toBuffer());
}
