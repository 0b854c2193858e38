import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { pngFile } from '#api/testing/picture-files.ts';
import * as limits from '#contract/limits.ts';
import { encodePicture } from './pictures.service.ts';

const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } });
/** The color in the middle of the left and right edge. */
async function edges(picture: Buffer): Promise<[left: number[], right: number[]]> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const row = (info.height >> 1) * info.width * 3;
  const end = row + (info.width - 1) * 3;
  return [[...data.subarray(row, row + 3)], [...data.subarray(end, end + 3)]];
}
const isRed = ([red = 0, , blue = 0]: number[]) => red > 200 && blue < 60;

test('a picture keeps no metadata, is turned upright, and becomes a square of 256 pixels', async () => {
  // Red at the top, blue below; the camera was turned, so that red belongs on the right.
  const blue = await plain(300, 200, '#0000ff').png().toBuffer();
  const turned = await plain(300, 200, '#ff0000')
    .extend({ bottom: 200, background: '#0000ff' })
    .composite([{ input: blue, top: 200, left: 0 }])
    .withExif({ IFD0: { Artist: 'Anna' }, IFD3: { GPSLatitude: '48/1 8/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  expect((await sharp(turned).metadata()).exif).toBeDefined();
  const picture = await encodePicture(turned);
  const { format, width, height, exif, xmp, icc, orientation, pages } = await sharp(picture).metadata();
  expect({ format, width, height, exif, xmp, icc, orientation, pages }).toEqual({
    format: 'webp',
    width: 256,
    height: 256,
  });
  const [left, right] = await edges(picture);
  expect([isRed(left), isRed(right)]).toEqual([false, true]);
});

test('of an animation, the first picture is kept', async () => {
  const frames = await Promise.all(['#ff0000', '#0000ff'].map((color) => plain(30, 30, color).png().toBuffer()));
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  expect((await sharp(gif).metadata()).pages).toBe(2);
  const picture = await encodePicture(gif);
  expect((await sharp(picture).metadata()).pages).toBeUndefined();
  expect(isRed((await edges(picture))[0])).toBe(true);
});

test('the content decides about the format: everything but JPEG, PNG, WebP, and GIF is refused', async () => {
  const png = Buffer.from(await pngFile());
  const [webp, tiff] = [await sharp(png).webp().toBuffer(), await sharp(png).tiff().toBuffer()];
  await expect(encodePicture(webp)).resolves.toBeInstanceOf(Buffer);
  for (const other of [tiff, Buffer.from('<svg/>'), Buffer.from('<html>'), Buffer.alloc(0)])
    await expect(encodePicture(other)).rejects.toMatchObject({ status: 415 });
});

test('a picture with too many pixels is refused before it is decoded, and a damaged one with a reason', async () => {
  const side = Math.ceil(Math.sqrt(limits.picturePixels)) + 1;
  const header = Buffer.from(await pngFile());
  // Width and height in the header of the file, with its checksum.
  header.writeUInt32BE(side, 16);
  header.writeUInt32BE(side, 20);
  header.writeUInt32BE(crc32(header.subarray(12, 29)), 29);
  await expect(encodePicture(header)).rejects.toMatchObject({ status: 413 });
  const jpeg = await plain(300, 300, '#808080').jpeg().toBuffer();
  for (const damaged of [jpeg.subarray(0, 40), Buffer.from('GIF89a'), Buffer.from('RIFFaaaaWEBP<svg/>')])
    await expect(encodePicture(damaged)).rejects.toMatchObject({ status: 400 });
});

test('when many pictures wait to be decoded, the next is refused', async () => {
  const png = Buffer.from(await pngFile());
  const all = await Promise.allSettled(Array.from({ length: 30 }, () => encodePicture(png)));
  const refused = all
    .filter((one) => one.status === 'rejected')
    .map(({ reason }) => (reason as { status: number }).status);
  expect(refused.length).toBeGreaterThan(0);
  expect(new Set(refused)).toEqual(new Set([503]));
  expect(refused.length).toBeLessThan(30);
  await expect(encodePicture(png)).resolves.toBeInstanceOf(Buffer);
});
