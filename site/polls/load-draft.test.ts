import type { AstroGlobal } from 'astro';
import { afterEach, expect, test, vi } from 'vitest';
import { adminPasswordHeader, draftFields } from '#contract/vocabulary.ts';
import { loadDraft } from './load-draft.ts';

afterEach(() => vi.unstubAllGlobals());

/** What Astro tells the page about the operator’s form, sent with these headers. */
function submitted(headers: Record<string, string>) {
  const body = new FormData();
  body.set(draftFields.password, 'secret');
  body.set(draftFields.texts, '{}');
  const request = new Request('http://localhost/poll/tea/draft', { method: 'POST', headers, body });
  const cookies = { get: () => undefined };
  const astro = { request, params: { id: 'tea' }, clientAddress: '192.0.2.7', cookies };
  return astro as unknown as AstroGlobal;
}

test('a preview that another site asks for is refused before its password is tried', async () => {
  const api = vi.fn();
  vi.stubGlobal('fetch', api);
  for (const site of ['cross-site', 'same-site'])
    expect(await loadDraft(submitted({ 'sec-fetch-site': site }))).toMatchObject({ kind: 'refused', status: 403 });
  expect(api).not.toHaveBeenCalled();
});

test('the API learns from where a preview was asked for, and refuses it in browsers that don’t tell the site', async () => {
  let sent: Record<string, string> = {};
  vi.stubGlobal('fetch', (_url: string, { headers }: { headers: Record<string, string> }) => {
    sent = headers;
    return Promise.resolve(Response.json({ code: 'FORBIDDEN_ORIGIN', message: 'Another site.' }, { status: 403 }));
  });
  const from = { origin: 'https://other.example', 'x-forwarded-for': '192.0.2.9' };
  expect(await loadDraft(submitted(from))).toEqual({ kind: 'refused', status: 403, reasons: ['Another site.'] });
  expect(sent).toMatchObject({ ...from, [adminPasswordHeader]: 'secret', 'content-type': 'application/json' });
});
