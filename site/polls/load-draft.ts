import type { AstroGlobal } from 'astro';
import * as limits from '#contract/limits.ts';
import type { ReportRecord } from '#contract/page-data.ts';
import { pathOf } from '#contract/routes.ts';
import { adminPasswordHeader, draftFields } from '#contract/vocabulary.ts';
import { headerText, parseErrorBody } from '#site/client/api.ts';
import { readFromApi } from '#site/site-config.ts';
import { anyPollId, isFromThisSite, visitorHeaders } from '#site/voting/form-vote.ts';
import { errorTexts } from '#texts/errors.ts';

type Draft =
  | { readonly kind: 'found'; readonly page: ReportRecord }
  | { readonly kind: 'refused'; readonly status: number; readonly reasons: readonly string[] };

/** What the page of a poll would show with the texts of a submitted form, or why not; never throws. */
export async function loadDraft(
  astro: Pick<AstroGlobal, 'request' | 'params' | 'clientAddress' | 'cookies'>,
): Promise<Draft> {
  const { request, params } = astro;
  const id = params.id ?? '';
  if (request.method !== 'POST' || !anyPollId.test(id)) return refused(404, errorTexts.NOT_FOUND);
  // Wrong passwords from pages of other sites would lock the operator’s address out.
  if (!isFromThisSite(request)) return refused(403, errorTexts.FORBIDDEN_ORIGIN);
  const form = await request.formData().catch(() => null);
  const [password, texts] = [form?.get(draftFields.password), form?.get(draftFields.texts)];
  if (typeof password !== 'string' || typeof texts !== 'string') return refused(400, errorTexts.BAD_REQUEST);
  try {
    const answer = await readFromApi(pathOf('previewTexts', { id }), {
      method: 'POST',
      headers: {
        ...visitorHeaders(astro),
        'content-type': 'application/json',
        [adminPasswordHeader]: headerText(password),
      },
      body: texts,
      signal: AbortSignal.timeout(limits.pageCallTimeoutMs),
    });
    if (answer.ok) return { kind: 'found', page: (await answer.json()) as ReportRecord };
    const body = parseErrorBody(await answer.text());
    const messages = body?.errors?.map(({ message }) => `${message}.`) ?? [];
    return refused(answer.status, ...(messages.length > 0 ? messages : [body?.message ?? errorTexts.API_UNREACHABLE]));
  } catch {
    return refused(503, errorTexts.API_UNREACHABLE);
  }
}

const refused = (status: number, ...reasons: string[]): Draft => ({ kind: 'refused', status, reasons });
