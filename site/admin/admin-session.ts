import { useMutation } from '@tanstack/react-query';
import { atom, computed } from 'nanostores';
import { useSyncExternalStore } from 'react';
import type { BodyOf, EndpointName, ParamsOf, QueryOf, ResponseOf } from '#api/endpoints.contract.ts';
import type { OperatorSession } from '#api/admin/operators/operators.contract.ts';
import { routes } from '#api/routes.contract.ts';
import { pathOf } from '#domain/path-of.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import type { OperatorPermission } from '#contract/vocabulary.ts';
import { roleAllows } from '#domain/operator-access.ts';
import { storeAdminPassword, storedAdminPassword } from '#site/client/admin-password.ts';
import { ApiError, callRoute, headerText, parseErrorBody } from '#site/client/api.ts';
import type { CallOptions } from '#site/client/api.ts';
import { signOut } from '#site/client/auth.tsx';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { saveFile } from '#site/client/save-file.ts';
import { toast } from '#site/ui/toasts.ts';
import type { ToastMessage } from '#site/ui/toasts.ts';
import { adminTexts, adminToasts } from '#texts/admin.ts';

/** The operator's password, stored for this tab's session; null while the page is locked. */
export const adminPassword = atom<string | null>(typeof window === 'undefined' ? null : storedAdminPassword());

/** The signed-in member who opened the admin pages; null while they are locked, or opened with the shared password. */
export const adminMember = atom<OperatorSession | null>(null);

const sharedUser: OperatorSession = { name: 'operator', role: 'owner', member: false };

/** Who uses the admin pages in this tab; null while they are locked. */
export const adminUser = computed([adminPassword, adminMember], (password, member) =>
  password === null ? member : sharedUser,
);

/** {@link adminUser} in a component. */
export function useAdminUser(): OperatorSession | null {
  return useSyncExternalStore(
    (notify) => adminUser.listen(notify),
    () => adminUser.get(),
    () => null,
  );
}

/** Whether the operator may call endpoints with this permission (`admin` in the contract). */
export function useAllowed(permission: OperatorPermission): boolean {
  const user = useAdminUser();
  return user !== null && roleAllows(user.role, permission);
}

/** Opens the page with a password that the server has accepted. */
export function unlock(password: string): void {
  storeAdminPassword(password);
  adminPassword.set(password);
}

/** Whether somebody left the admin pages here who may be signed in as an operator: they don't open again unasked. */
export const hasLeft = atom(false);

/** Leaves the admin pages: signs the member out, or deletes the stored password. */
export function leave(): void {
  if (adminPassword.get() !== null) {
    lock();
    hasLeft.set(true);
  } else
    signOut().then(
      () => adminMember.set(null),
      (error: unknown) => toast({ title: adminToasts.failed, text: adminErrorMessage(error), destructive: true }),
    );
}

/** Locks the page and deletes the stored password. */
export function lock(): void {
  storeAdminPassword(null);
  adminPassword.set(null);
}

/** Goes on as a member in place of the holder of the shared password, who has become an owner. */
export function continueAs(member: OperatorSession): void {
  // First, so that the page doesn’t lock in between.
  adminMember.set(member);
  lock();
}

/** Locks the page if the error code says that the password, or the member’s role, is no longer valid. */
export function lockIfRefused(code: string | undefined): void {
  if (code !== 'ADMIN_REQUIRED' || adminUser.get() === null) return;
  lock();
  adminMember.set(null);
  toast({ title: adminTexts.locked, text: adminTexts.ended, destructive: true });
}

/** What the operator is asked to give again, and what then happens: with `true` the call is repeated. */
export interface ConfirmationRequest {
  readonly kind: 'passkey' | 'any';
  readonly settle: (confirmed: boolean) => void;
}

/** The open request, which the admin dialog shows; calls that need it at the same time share it. */
export const confirmationRequest = atom<ConfirmationRequest | null>(null);
let asking: Promise<boolean> | null = null;

function askToConfirm(kind: ConfirmationRequest['kind']): Promise<boolean> {
  return (asking ??= new Promise<boolean>((resolve) => {
    const settle = (confirmed: boolean) => {
      confirmationRequest.set(null);
      asking = null;
      resolve(confirmed);
    };
    confirmationRequest.set({ kind, settle });
  }));
}

/**
 * Makes an admin call; when the server wants to know who is at the keyboard, asks, and makes the call again. Locks the
 * page when access has ended, and when the operator doesn’t answer for a query: repeated, it would only ask again.
 */
export async function whileConfirmed<T>(call: () => Promise<T>, isQuery = false): Promise<T> {
  for (;;)
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      lockIfRefused(error.code);
      if (error.code !== 'CONFIRMATION_REQUIRED') throw error;
      // Already locked: the page itself asks.
      if (isQuery && adminUser.get() === null) throw error;
      if (await askToConfirm(error.body?.confirmation ?? 'any')) continue;
      if (isQuery) adminMember.set(null);
      throw error;
    }
}

/** Calls an admin endpoint as its user; queries pass their signal. */
export function callAdmin<N extends EndpointName>(
  name: N,
  options: { params?: ParamsOf<N>; query?: QueryOf<N>; body?: BodyOf<N>; file?: Blob; signal?: AbortSignal } = {},
): Promise<ResponseOf<N>> {
  return whileConfirmed(() => {
    const call: CallOptions<N> = { ...options, adminPassword: adminPassword.get() ?? '' };
    return callRoute(routes[name], call);
  }, options.signal !== undefined);
}

/** Calls an admin endpoint that answers with a file. */
export function fetchAdminFile(
  name: EndpointName,
  request: {
    readonly params?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string | number | undefined>>;
    readonly form?: FormData;
    readonly json?: unknown;
    readonly signal?: AbortSignal;
  },
): Promise<Blob> {
  const { params, query, form, json, signal } = request;
  return whileConfirmed(async () => {
    const response = await fetch(pathOf(name, params, query), {
      method: routes[name].method,
      headers: {
        [adminPasswordHeader]: headerText(adminPassword.get() ?? ''),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      cache: 'no-store',
      ...(form && { body: form }),
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(signal && { signal }),
    }).catch((cause: unknown) => {
      throw new ApiError(0, 'no response', { code: 'API_UNREACHABLE' }, { cause });
    });
    if (response.ok) return response.blob();
    const text = await response.text();
    throw new ApiError(response.status, text, parseErrorBody(text));
  });
}

/** Saves the response of an admin endpoint as a file. */
export async function downloadAdmin<N extends EndpointName>(
  name: N,
  { query, fileName }: { readonly query?: QueryOf<N>; readonly fileName: string },
): Promise<void> {
  saveFile(fileName, await fetchAdminFile(name, { query: { ...query } }));
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
      onError: (error) => {
        // That the page is locked was said.
        if (error instanceof ApiError && error.code === 'ADMIN_REQUIRED') return;
        toast({ title: adminToasts.failed, text: adminErrorMessage(error), destructive: true });
      },
    },
    queryClient(),
  );
}

/**
 * An admin action behind a dialog: on success the dialog closes and the returned notification is shown, a failure is
 * shown in the dialog. Either way the lists are refetched.
 */
export function useDialogMutation<T = void>(
  mutationFn: (variables: T) => Promise<ToastMessage | undefined>,
  onClose: () => void,
) {
  const { mutate, reset, isPending, error } = useMutation<ToastMessage | undefined, Error, T>(
    {
      mutationFn,
      onSuccess: (message) => {
        if (message) toast(message);
        onClose();
      },
      onSettled: () => void refreshAdmin(),
    },
    queryClient(),
  );
  return { mutate, reset, pending: isPending, problem: error && adminErrorMessage(error) };
}
