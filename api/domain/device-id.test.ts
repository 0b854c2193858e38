import { describe, expect, test } from 'vitest';
import { assembleDeviceId, isDeviceId } from './device-id.ts';

const traits = ['Mozilla/5.0', '1440x900x24', '-60', 'data:image/png;base64,AAAA'];

describe('a new device id', () => {
  test('[S1.5 D2.1] is device_ and 20 to 40 base-36 characters, for any random bytes', () => {
    for (const fill of [0, 1, 127, 255])
      expect(assembleDeviceId(traits, new Uint8Array(16).fill(fill))).toMatch(/^device_[0-9a-z]{36}$/);
    expect(assembleDeviceId([], new Uint8Array(16))).toMatch(/^device_[0-9a-z]{20,40}$/);
  });

  test('[D2.1] differs between identical phones, because the random part differs', () => {
    const other = new Uint8Array(16);
    other[15] = 1;
    expect(assembleDeviceId(traits, new Uint8Array(16))).not.toBe(assembleDeviceId(traits, other));
  });

  test('[S1.5] differs with each trait', () => {
    const ids = traits.map((_, i) => assembleDeviceId(traits.with(i, 'other'), new Uint8Array(16)));
    expect(new Set([...ids, assembleDeviceId(traits, new Uint8Array(16))]).size).toBe(5);
  });

  test('[D2.1] requires enough random bytes', () => {
    expect(() => assembleDeviceId(traits, new Uint8Array(8))).toThrow('16 random bytes');
  });
});

describe('a stored device id', () => {
  test('[S1.6 D2.2] is reused when it has 8 to 64 base-36 characters after the prefix', () => {
    expect(isDeviceId(`device_${'a'.repeat(8)}`)).toBe(true);
    expect(isDeviceId(`device_${'z'.repeat(64)}`)).toBe(true);
  });

  test('[S1.6 D2.2] is not reused otherwise', () => {
    for (const wrong of [
      null,
      undefined,
      7,
      '',
      'device_',
      `device_${'a'.repeat(7)}`,
      `device_${'a'.repeat(65)}`,
      'device_ABCDEFGH',
      ' device_abcdefgh',
      'device_abcdefgh\n',
    ])
      expect(isDeviceId(wrong)).toBe(false);
  });
});
