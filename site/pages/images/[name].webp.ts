import type { APIRoute } from 'astro';
import { noSuchPage } from '#site/layouts/no-such-page.ts';

export const GET: APIRoute<never, { name: string }> = async ({ params, locals }) => {
  const image = await locals.data.contentImage(params.name);
  return image ? new Response(Uint8Array.from(image), { headers: { 'content-type': 'image/webp' } }) : noSuchPage();
};
