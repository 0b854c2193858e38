import type { Clock } from '#platform/clock.ts';
import { signatures } from '#platform/signatures.ts';

/** Milliseconds for which a screen shows one code, and for which it is valid afterward: to scan it, read, choose, and vote. */
const shownMs = 2 * 60_000;
const validMs = 10 * 60_000;

/** The codes that the screen of a poll shows to the people in a room, for whom limits per address don’t hold. */
export interface RoomCodes {
  /** The code to show now. */
  current(pollId: string): string;
  /** Whether the screen of this poll shows a code, or has shown it within ten minutes. */
  isValid(pollId: string, code: string): boolean;
}

/** The period in which it is shown, in base 36, dot, and 96 bits of its signature. */
const codePattern = /^([0-9a-z]{1,8})\.([\w-]{16})$/;

/** `keys` are the site’s signing keys, newest first. */
export function roomCodes(keys: readonly string[], clock: Clock): RoomCodes {
  const signed = signatures(keys, 'room', 16);
  return {
    current(pollId) {
      const period = Math.floor(clock.now() / shownMs).toString(36);
      return `${period}.${signed.sign(`${pollId} ${period}`)}`;
    },
    isValid(pollId, code) {
      const [, period, signature] = codePattern.exec(code) ?? [];
      if (period === undefined || signature === undefined) return false;
      const began = parseInt(period, 36) * shownMs;
      // The clocks of two processes differ by less than a period.
      const age = clock.now() - began;
      return age >= -shownMs && age < shownMs + validMs && signed.isValid(`${pollId} ${period}`, signature);
    },
  };
}
