import type { APIRoute } from 'astro';
import { pictureOfPoll } from '#domain/social-picture.ts';
import { pictureResponse } from '#site/layouts/link-picture.ts';
import { noSuchPage } from '#site/layouts/no-such-page.ts';

// Pictures of open polls. The site service draws those of reports (decision 155).
export const GET: APIRoute<never, { id: string }> = async ({ params, locals }) => {
  const page = await locals.data.poll(params.id);
  return page !== null && 'poll' in page && page.poll.isActive
    ? pictureResponse(pictureOfPoll(page.poll))
    : noSuchPage();
};
