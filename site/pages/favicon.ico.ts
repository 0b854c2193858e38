import { icoOf, iconSvg } from '#site/polls/sharing/icons.ts';
import { rasterize } from '#site/polls/sharing/picture-store.ts';

// For clients that don’t read the page’s icon links, such as feed readers.
const size = 32;

export const GET = async () =>
  new Response(new Uint8Array(icoOf(await rasterize(iconSvg({ size, ground: 'rounded', share: 0.94 })), size)), {
    headers: { 'content-type': 'image/x-icon' },
  });
