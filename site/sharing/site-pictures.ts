import { join } from 'node:path';
import type { SocialPicture } from '#domain/social-picture.ts';
import { siteConfig } from '#site/site-config.ts';
import { pictureFolder, pictureStore } from './picture-store.ts';
import type { PictureStore } from './picture-store.ts';

let store: PictureStore | undefined;

/** A picture as the answer of a page's address, drawn by this process or taken from what an earlier build drew. */
export async function pictureResponse(picture: SocialPicture): Promise<Response> {
  const { siteName, publicUrl, dataDir } = siteConfig;
  store ??= pictureStore({ siteName, host: new URL(publicUrl).host, folder: join(dataDir, pictureFolder) });
  const { png } = await store.picture(picture);
  return new Response(new Uint8Array(png), { headers: { 'content-type': 'image/png' } });
}
