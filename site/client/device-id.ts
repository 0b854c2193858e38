import { assembleDeviceId, deviceIdRandomBytes, isDeviceId } from '#domain/device-id.ts';

const storageKey = 'weathervane-device-id';

/** Where storage is blocked, the id lasts as long as the page, and the voter cookie identifies the browser. */
let cached: string | undefined;

function readStored(): string | undefined {
  try {
    const value = localStorage.getItem(storageKey);
    return isDeviceId(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A canvas fingerprint: fonts and graphics hardware draw the same picture slightly differently. */
function canvasFingerprint(): string {
  try {
    const canvas = document.createElement('canvas');
    canvas.width = 220;
    canvas.height = 40;
    const context = canvas.getContext('2d');
    if (!context) return '';
    context.textBaseline = 'top';
    context.font = '16px serif';
    context.fillStyle = '#f60';
    context.fillRect(100, 4, 60, 22);
    context.fillStyle = '#069';
    context.fillText('Which way is the wind? ⛅', 2, 12);
    return canvas.toDataURL();
  } catch {
    return '';
  }
}

function makeDeviceId(): string {
  const traits = [
    navigator.userAgent,
    `${screen.width}x${screen.height}x${screen.colorDepth}`,
    String(new Date().getTimezoneOffset()),
    canvasFingerprint(),
  ];
  return assembleDeviceId(traits, crypto.getRandomValues(new Uint8Array(deviceIdRandomBytes)));
}

/** Whether this browser keeps its device id, so that it is recognized later. */
export const isDeviceIdStored = (): boolean => readStored() !== undefined;

/**
 * This browser's device id: the stored one if it is well formed, else a new one, which is stored. Storage is read on
 * every call so that tabs opened together agree. The id is a secret: never show or log it.
 */
export function deviceId(): string {
  const stored = readStored();
  if (stored !== undefined) return (cached = stored);
  cached ??= makeDeviceId();
  try {
    localStorage.setItem(storageKey, cached);
  } catch {
    // Storage is full or blocked; the cached id serves this page.
  }
  return cached;
}
