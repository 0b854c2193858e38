import { useMutation } from '@tanstack/react-query';
import { atom } from 'nanostores';
import type { BodyOf, EndpointName, ParamsOf, QueryOf, ResponseOf } from '#contract/endpoints.ts';
import { routes } from '#contract/routes.ts';
import { ApiError, callRoute } from '#site/client/api.ts';
import type { CallOptions } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { toast } from '#site/ui/toasts.ts';
import type { ToastMessage } from '#site/ui/toasts.ts';
import { adminTexts, adminToasts } from '#texts/admin.ts';

const storageKey = 'adminPassword';

// Where storage is blocked, the password lasts until the operator leaves the page.
function storedPassword(): string | null {
  try {
    return sessionStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

/** The operator's password, stored for this tab's session; null while the page is locked. */
export const adminPassword = atom<string | null>(typeof window === 'undefined' ? null : storedPassword());

/** Opens the page with a password that the server has accepted. */
export function unlock(password: string): void {
  try {
    sessionStorage.setItem(storageKey, password);
  } catch {
    // Storage is blocked, see above.
  }
  adminPassword.set(password);
}

/** Locks the page and deletes the stored password. */
export function lock(): void {
  try {
    sessionStorage.removeItem(storageKey);
  } catch {
    // Storage is blocked, so nothing was stored.
  }
  adminPassword.set(null);
}

/** Locks the page if the error code says that the password is no longer valid. */
export function lockIfRefused(code: string | undefined): void {
  if (code !== 'ADMIN_REQUIRED' || adminPassword.get() === null) return;
  lock();
  toast({ title: adminTexts.locked, text: adminTexts.ended, destructive: true });
}

/** Calls an admin endpoint with the operator's password. */
export function callAdmin<N extends EndpointName>(
  name: N,
  options: { params?: ParamsOf<N>; query?: QueryOf<N>; body?: BodyOf<N>; file?: Blob; signal?: AbortSignal } = {},
): Promise<ResponseOf<N>> {
  const call: CallOptions<N> = { ...options, adminPassword: adminPassword.get() ?? '' };
  const response: Promise<ResponseOf<N>> = callRoute(routes[name], call);
  return response.catch((error: unknown) => {
    if (error instanceof ApiError) lockIfRefused(error.code);
    throw error;
  });
}

/** The message for a failed admin call. */
export function adminErrorMessage(error: unknown): string {
  return failureSentence(error, adminTexts.failed);
}

/** Prefix of every query key of the admin page. */
export const adminKey = ['admin'] as const;

/** Refetches every list of the admin page, since most actions change several of them. */
export function refreshAdmin(): Promise<void> {
  return queryClient().invalidateQueries({ queryKey: adminKey });
}

/** An admin action behind a plain button; a failure becomes a notification. */
export function useAdminMutation<A, T = void>(
  mutationFn: (variables: T) => Promise<A>,
  onSuccess: (result: A) => unknown,
) {
  return useMutation<A, Error, T>(
    {
      mutationFn,
      onSuccess,
      onError: (error) => toast({ title: adminToasts.failed, text: adminErrorMessage(error), destructive: true }),
    },
    queryClient(),
  );
}

/**
 * An admin action behind a dialog: on success the dialog closes and the returned notification is shown, a failure is
 * shown in the dialog. Either way the lists are refetched.
 */
export function useDialogMutation<T = void>(mutationFn: (variables: T) => Promise<ToastMessage>, onClose: () => void) {
  const { mutate, reset, isPending, error } = useMutation<ToastMessage, Error, T>(
    {
      mutationFn,
      onSuccess: (message) => {
        toast(message);
        onClose();
      },
      onSettled: () => void refreshAdmin(),
    },
    queryClient(),
  );
  return { mutate, reset, pending: isPending, problem: error && adminErrorMessage(error) };
}
