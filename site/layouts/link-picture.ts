import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { SocialPicture } from '#domain/social-picture.ts';
import { publicAddress, siteConfig } from '#site/site-config.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { sharingTexts } from '#texts/sharing.ts';
import type { PictureStore } from '#site/polls/sharing/picture-store.ts';
import { pictureFolder, pictureStore } from '#site/polls/sharing/picture-store.ts';
import { noLeaderText, pictureVotes } from '#site/polls/sharing/picture-texts.ts';

/** The picture of a shared link, and its path. */
export interface LinkPicture {
  readonly shows: SocialPicture;
  readonly path: string;
}

/** The default picture. */
export const sitePicture: LinkPicture = { shows: { kind: 'site' }, path: '/pictures/site.png' };

/**
 * The full address of a picture. It changes with the content, because networks cache pictures for weeks, and a poll’s
 * picture changes when it closes.
 */
export function pictureAddress({ shows, path }: LinkPicture): string {
  const digest = createHash('sha256').update(JSON.stringify([shows, siteConfig.siteName, siteConfig.publicUrl]));
  return publicAddress(`${path}?v=${digest.digest('base64url').slice(0, 10)}`);
}

const texts = sharingTexts.picture;

/** The alternative text of a picture. */
export function pictureDescription(shows: SocialPicture, siteName: string): string {
  if (shows.kind === 'site') return texts.alt.site(siteName);
  if (shows.kind === 'article') return texts.alt.article(shows.title);
  if (shows.kind === 'open') return texts.alt.open(shows.question);
  const [first] = shows.leaders;
  const percent = formatPercent(shows.percent, 1);
  const counted = shows.lastRound?.votes ?? shows.votes;
  const votes = texts.ofVotes(formatCount(counted), counted);
  const result =
    first === undefined
      ? noLeaderText(shows)
      : shows.leaders.length === 1
        ? texts.alt.leading(first, percent, votes)
        : texts.alt.tied(shows.leaders.length, percent, votes);
  return texts.alt.result(shows.question, shows.received === undefined ? result : `${result} ${pictureVotes(shows)}.`);
}

let store: PictureStore | undefined;

/** The response with a picture, drawn now or by an earlier build. */
export async function pictureResponse(picture: SocialPicture): Promise<Response> {
  const { siteName, publicUrl, dataDir } = siteConfig;
  store ??= pictureStore({ siteName, host: new URL(publicUrl).host, folder: join(dataDir, pictureFolder) });
  const { png } = await store.picture(picture);
  return new Response(new Uint8Array(png), { headers: { 'content-type': 'image/png' } });
}
