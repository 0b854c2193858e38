import type { PasskeyLogin } from '#api/members/accounts/passkeys.contract.ts';
import { deviceName } from '#domain/device-name.ts';
import { ApiError, callApi } from './api.ts';
import { useHydrated } from './use-hydrated.ts';

/** The code that talks to authenticators; most visitors never need it. */
export const loadPasskeyBrowser = () => import('./passkey-browser.ts');

/**
 * Asks for a passkey, which signs a challenge of the server, and sends it. When the server doesn’t know the passkey, tells the
 * browser, so that the device stops offering it.
 */
export async function sendWithPasskey<T>(send: (signed: PasskeyLogin) => Promise<T>): Promise<T> {
  const { reportUnknownPasskey, signWithPasskey } = await loadPasskeyBrowser();
  const challenge = await callApi('passkeyChallenge');
  const signed = await signWithPasskey(challenge);
  try {
    return await send(signed);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'UNKNOWN_PASSKEY')
      await reportUnknownPasskey({ rpId: challenge.rpId, credentialId: signed.credentialId });
    throw error;
  }
}

/** Whether this browser can use passkeys here; they belong to a name, never to an IP address. */
export function usePasskeySupport(): boolean {
  return useHydrated() && typeof PublicKeyCredential === 'function' && !/^[\d.]+$|:/.test(location.hostname);
}

/** A name for a new passkey, such as “Firefox on Windows”. */
export const suggestedName = () => deviceName(navigator.userAgent) ?? '';

/** Whether an error only says that the person closed the browser’s dialog, or let it time out. */
export const isCanceled = (error: Error): boolean => ['NotAllowedError', 'AbortError'].includes(error.name);
