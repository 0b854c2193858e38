import type { APIContext } from 'astro';
import * as limits from '#contract/limits.ts';
import type { ReportRecord } from '#contract/page-data.ts';
import { pathOf } from '#contract/routes.ts';
import { adminPasswordHeader, draftFields, pollIdPattern } from '#contract/vocabulary.ts';
import { headerText, parseErrorBody } from '#site/client/api.ts';
import { readFromApi } from '#site/site-config.ts';
import { errorTexts } from '#texts/errors.ts';

type Draft =
  | { readonly kind: 'found'; readonly page: ReportRecord }
  | { readonly kind: 'refused'; readonly status: number; readonly reasons: readonly string[] };

const anyPollId = new RegExp(pollIdPattern);

/** What the page of a poll would show with the texts of a submitted form, or why not; never throws. */
export async function loadDraft({
  request,
  params,
  clientAddress,
}: Pick<APIContext, 'request' | 'params' | 'clientAddress'>): Promise<Draft> {
  const id = params.id ?? '';
  if (request.method !== 'POST' || !anyPollId.test(id)) return refused(404, errorTexts.NOT_FOUND);
  const form = await request.formData().catch(() => null);
  const [password, texts] = [form?.get(draftFields.password), form?.get(draftFields.texts)];
  if (typeof password !== 'string' || typeof texts !== 'string') return refused(400, errorTexts.BAD_REQUEST);
  try {
    const answer = await readFromApi(pathOf('previewTexts', { id }), {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'x-forwarded-for': request.headers.get('x-forwarded-for') ?? clientAddress,
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
