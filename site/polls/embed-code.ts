import { shareTexts } from '#texts/share.ts';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };

/** HTML that shows a poll on somebody's own page. `url` is the full address of the poll's page. */
export function embedCode(url: string, question: string): string {
  const title = shareTexts.embed
    .title(question.replace(/\s+/g, ' ').trim())
    .replace(/[&"<>]/g, (one) => escapes[one] ?? one);
  const source = url.replace(/\/poll\/([\w-]+)$/, '/embed/poll/$1');
  return `<iframe src="${source}" title="${title}" width="100%" height="420" style="border:0;max-width:36rem" loading="lazy"></iframe>`;
}
