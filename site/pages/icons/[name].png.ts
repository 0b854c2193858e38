import type { APIRoute, GetStaticPaths } from 'astro';
import { icons, iconSvg } from '#site/sharing/icons.ts';
import type { Icon } from '#site/sharing/icons.ts';
import { rasterize } from '#site/sharing/picture-store.ts';

export const prerender = true;

export const getStaticPaths = (() =>
  Object.entries(icons).map(([name, icon]) => ({ params: { name }, props: { icon } }))) satisfies GetStaticPaths;

export const GET: APIRoute<{ icon: Icon }> = async ({ props }) =>
  new Response(new Uint8Array(await rasterize(iconSvg(props.icon))), { headers: { 'content-type': 'image/png' } });
