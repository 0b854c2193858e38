import { shareTexts } from '#texts/share.ts';
import { embedHeight } from './embed-height.ts';
import type { EmbeddedPoll } from './embed-height.ts';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };

/** HTML that shows a poll on somebody's own page. `url` is the full address of the poll's page. */
export function embedCode(url: string, poll: EmbeddedPoll): string {
  const title = shareTexts.embed
    .title(poll.question.replace(/\s+/g, ' ').trim())
    .replace(/[&"<>]/g, (one) => escapes[one] ?? one);
  const source = url.replace(/\/poll\/([\w-]+)$/, '/embed/poll/$1');
  return `<iframe src="${source}" title="${title}" width="100%" height="${embedHeight(poll)}" style="border:0;max-width:36rem" loading="lazy"></iframe>`;
}
