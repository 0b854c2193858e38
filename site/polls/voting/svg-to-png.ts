/** Pixels of the picture per pixel of the drawing, for sharp letters. */
const pngScale = 2;

/** Renders an SVG, given its path or data URL, as PNG in the browser, which has fonts for every script. Rejects if it can’t. */
export async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = svg;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * pngScale;
  canvas.height = image.naturalHeight * pngScale;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const png = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (png === null) throw new Error('The browser returned no picture.');
  return png;
}
