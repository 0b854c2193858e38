import type { APIRoute } from 'astro';
import { pictureOfArticle } from '#domain/social-picture.ts';
import { pictureResponse } from '#site/layouts/link-picture.ts';
import { noSuchPage } from '#site/layouts/no-such-page.ts';

export const GET: APIRoute = async ({ params, locals }) => {
  const post = (await locals.data.articles()).find(({ slug }) => slug === params.slug);
  return post ? pictureResponse(pictureOfArticle(post)) : noSuchPage();
};
