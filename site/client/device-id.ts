import { assembleDeviceId, deviceIdRandomBytes, isDeviceId } from '#domain/device-id.ts';

const storageKey = 'weathervane-device-id';

/** Where storage is blocked the id lives as long as the page; the voter cookie does the rest. */
let remembered: string | undefined;

function stored(): string | undefined {
  try {
    const value = localStorage.getItem(storageKey);
    return isDeviceId(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A small drawing, as data: fonts and graphics of each device draw it slightly differently. */
function drawing(): string {
  try {
    const canvas = document.createElement('canvas');
    canvas.width = 220;
    canvas.height = 40;
    const pen = canvas.getContext('2d');
    if (!pen) return '';
    pen.textBaseline = 'top';
    pen.font = '16px serif';
    pen.fillStyle = '#f60';
    pen.fillRect(100, 4, 60, 22);
    pen.fillStyle = '#069';
    pen.fillText('Which way is the wind? ⛅', 2, 12);
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
    drawing(),
  ];
  return assembleDeviceId(traits, crypto.getRandomValues(new Uint8Array(deviceIdRandomBytes)));
}

/**
 * This browser's device id: the stored one when it is well formed, else a new one that is stored. Storage is read
 * on every call, so that tabs which started together agree. It is a secret: send it, never show or log it.
 */
export function deviceId(): string {
  const known = stored();
  if (known !== undefined) return (remembered = known);
  remembered ??= makeDeviceId();
  try {
    localStorage.setItem(storageKey, remembered);
  } catch {
    // Full or blocked storage: the remembered id serves this page.
  }
  return remembered;
}
