import { atom } from 'nanostores';
import type { BodyOf, EndpointName, ParamsOf, QueryOf, ResponseOf } from '#contract/endpoints.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import type { CallOptions } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { toast } from '#site/ui/toasts.ts';
import { adminTexts } from '#texts/admin.ts';

const key = 'adminPassword';

// A browser that refuses storage still lets the operator in, until the page is left.
function stored(): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** The password of the operator who is in, kept for this tab's session; null while the page is locked. */
export const adminPassword = atom<string | null>(typeof window === 'undefined' ? null : stored());

/** Opens the panel with a password that the server has found right. */
export function unlock(password: string): void {
  try {
    sessionStorage.setItem(key, password);
  } catch {
    // See above.
  }
  adminPassword.set(password);
}

/** Forgets the password. */
export function lock(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // There is nothing to remove then.
  }
  adminPassword.set(null);
}

/** Locks the page when a call was refused for its password: it was changed meanwhile. */
export function noticeRefusal(code: string | undefined): void {
  if (code !== 'ADMIN_REQUIRED' || adminPassword.get() === null) return;
  lock();
  toast({ title: adminTexts.locked, text: adminTexts.ended, destructive: true });
}

/** One of the operator's calls, with the password. */
export function callAdmin<N extends EndpointName>(
  name: N,
  options: { params?: ParamsOf<N>; query?: QueryOf<N>; body?: BodyOf<N>; signal?: AbortSignal } = {},
): Promise<ResponseOf<N>> {
  const call: CallOptions<N> = { ...options, adminPassword: adminPassword.get() ?? '' };
  const answer: Promise<ResponseOf<N>> = callApi(name, call);
  return answer.catch((error: unknown) => {
    if (error instanceof ApiError) noticeRefusal(error.code);
    throw error;
  });
}

/** What a failed call says. */
export function sentenceOf(error: unknown): string {
  return failureSentence(error, adminTexts.failed);
}
