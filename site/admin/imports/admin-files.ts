import type { ErrorBody } from '#contract/error-codes.ts';
import type { ImportSettings } from '#contract/import-settings.ts';
import { pathOf, routes } from '#contract/routes.ts';
import type { EndpointName } from '#contract/routes.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { adminPassword, lockIfRefused } from '#site/admin/admin-session.ts';
import { ApiError, headerText, parseErrorBody } from '#site/client/api.ts';

/** A file of polls, and how to read it. */
export interface ImportFile {
  readonly file: File;
  /** Null: as the specified format. */
  readonly settings: ImportSettings | null;
}

/** The form of an upload. */
export function uploadForm({ file, settings }: ImportFile, options: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  form.set('password', adminPassword.get() ?? '');
  for (const [name, value] of Object.entries(options)) form.set(name, value);
  if (settings !== null) form.set('settings', JSON.stringify(settings));
  form.set('csvFile', file);
  return form;
}

/** The error of a response; locks the page if it says that the password is no longer valid. */
export function refusedResponse(status: number, text: string): ApiError {
  const body: Partial<ErrorBody> | undefined = parseErrorBody(text);
  lockIfRefused(body?.code);
  return new ApiError(status, text, body);
}

/** Calls an endpoint of the desk that answers with a file; throws an {@link ApiError}. */
export async function fetchFile(
  name: EndpointName,
  request: {
    readonly params?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string | undefined>>;
    readonly form?: FormData;
    readonly json?: unknown;
    readonly signal?: AbortSignal;
  },
): Promise<Blob> {
  const { params, query, form, json, signal } = request;
  let response: Response;
  try {
    response = await fetch(pathOf(name, params, query), {
      method: routes[name].method,
      credentials: 'include',
      cache: 'no-store',
      headers: {
        [adminPasswordHeader]: headerText(adminPassword.get() ?? ''),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(form && { body: form }),
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(signal && { signal }),
    });
    if (response.ok) return await response.blob();
  } catch (cause) {
    throw new ApiError(0, 'no response', { code: 'API_UNREACHABLE' }, { cause });
  }
  throw refusedResponse(response.status, await response.text());
}
