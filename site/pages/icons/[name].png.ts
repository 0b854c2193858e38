import type { APIRoute } from 'astro';
import { icons, iconSvg } from '#site/polls/sharing/icons.ts';
import type { Icon } from '#site/polls/sharing/icons.ts';
import { rasterize } from '#site/polls/sharing/picture-store.ts';
import { noSuchPage } from '#site/layouts/no-such-page.ts';

export const GET: APIRoute = async ({ params }) => {
  const icon = (icons as Readonly<Record<string, Icon>>)[params.name ?? ''];
  if (!icon) return noSuchPage();
  return new Response(new Uint8Array(await rasterize(iconSvg(icon))), { headers: { 'content-type': 'image/png' } });
};
