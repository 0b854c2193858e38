import type { MailText } from '#texts/mail.ts';

/** A mail as it is sent. */
export interface ComposedMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Renders a mail as plain text and as HTML without pictures, scripts, or remote files. */
export function renderMail(to: string, mail: MailText): ComposedMail {
  const { subject, paragraphs, list = [], action, footer } = mail;
  const text = [
    ...paragraphs,
    ...(list.length === 0 ? [] : [list.map(({ text, url }) => `- ${text}${url ? `\n  ${url}` : ''}`).join('\n')]),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    `-- \n${footer.map(({ text, url }) => (url ? `${text}: ${url}` : text)).join('\n')}`,
  ].join('\n\n');
  const items = list.map((item) => `<li style="margin:0 0 8px">${linked(item)}</li>`).join('');
  const html = [
    '<!doctype html><html lang="en-US"><meta charset="utf-8">',
    `<title>${escaped(subject)}</title>`,
    '<body style="margin:0 auto;padding:24px;max-width:560px;font:16px/1.5 system-ui,sans-serif;color:#1c2430">',
    ...paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`),
    items && `<ul style="padding-left:20px">${items}</ul>`,
    action &&
      `<p><a href="${escaped(action.url)}" style="display:inline-block;padding:10px 18px;background:#1c4f82;color:#fff;text-decoration:none;border-radius:4px">${escaped(action.label)}</a></p><p style="font-size:13px;overflow-wrap:anywhere">${escaped(action.url)}</p>`,
    '<hr style="border:0;border-top:1px solid #ccd2da">',
    `<p style="font-size:13px;color:#5a6472">${footer.map(linked).join('<br>')}</p>`,
    '</body></html>',
  ];
  return { to, subject, text: `${text}\n`, html: html.filter(Boolean).join('\n') };
}

const linked = ({ text, url }: { readonly text: string; readonly url?: string }) =>
  url === undefined ? escaped(text) : `<a href="${escaped(url)}" style="color:#1c4f82">${escaped(text)}</a>`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character]!);
