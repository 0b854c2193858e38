import { randomBytes } from 'node:crypto';

const timeDigits = 9;
const placeDigits = 3;
const randomDigits = 16;
const wellFormed = new RegExp(`^[0-9a-z]{${timeDigits + placeDigits + randomDigits}}$`);

/**
 * Makes ids of comments: the moment in milliseconds, the place within it, and 80 random bits, in base 36. Such an id
 * sorts by time, says where it belongs when its comment is gone, and cannot be guessed.
 */
export function commentIds(): (now: number) => string {
  let last = -1;
  let place = 0;
  return (now) => {
    place = now === last ? place + 1 : 0;
    last = now;
    const random = BigInt(`0x${randomBytes(10).toString('hex')}`);
    return now.toString(36).padStart(timeDigits, '0') + digits(place, placeDigits) + digits(random, randomDigits);
  };
}

/** The moment in an id, in milliseconds, or null when it is none of ours. */
export function momentOfComment(id: string): number | null {
  return wellFormed.test(id) ? Number.parseInt(id.slice(0, timeDigits), 36) : null;
}

function digits(number: number | bigint, length: number): string {
  return number.toString(36).padStart(length, '0').slice(-length);
}
