import type { AstroGlobal } from 'astro';
import type { Poll } from '#api/polls/polls.contract.ts';
import { noSuchPage } from '#site/layouts/no-such-page.ts';
import { embedMaxAgeSeconds } from './embed-code.ts';

/**
 * The poll of an embedded page, whose address ends with this; null, with the status 410, if it was deleted; or a response in
 * place of the page.
 */
export async function loadEmbeddedPoll(
  { locals: { data }, params, url, response, redirect }: AstroGlobal,
  ending: '' | '/vote',
): Promise<Poll | Response | null> {
  const id = params.id ?? '';
  const isPreview = url.searchParams.has('preview');
  const page = isPreview ? await data.preview(id) : await data.poll(id);
  if (page === null) return noSuchPage();
  if ('gone' in page && page.gone.redirectTo) return redirect(`/embed/poll/${page.gone.redirectTo}${ending}`, 301);
  const poll = 'poll' in page ? page.poll : null;
  if (isPreview) response.headers.set('cache-control', 'private, no-store');
  else if (poll) response.headers.set('cache-control', `public, max-age=${embedMaxAgeSeconds}`);
  if (!poll) response.status = 410;
  return poll;
}
