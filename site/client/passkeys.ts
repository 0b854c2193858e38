import { deviceName } from '#domain/device-name.ts';
import { useHydrated } from './use-hydrated.ts';

/** The code that talks to authenticators; most visitors never need it. */
export const loadPasskeyBrowser = () => import('./passkey-browser.ts');

/** Whether this browser can use passkeys here; they belong to a name, never to an IP address. */
export function usePasskeySupport(): boolean {
  return useHydrated() && typeof PublicKeyCredential === 'function' && !/^[\d.]+$|:/.test(location.hostname);
}

/** A name for a new passkey, such as “Firefox on Windows”. */
export const suggestedName = () => deviceName(navigator.userAgent) ?? '';

/** Whether an error only says that the person closed the browser’s dialog, or let it time out. */
export const isCanceled = (error: Error): boolean => ['NotAllowedError', 'AbortError'].includes(error.name);
