import { randomInt } from 'node:crypto';

/** No characters that look alike; 4.95 bits each. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A random secret that people can type: groups of letters and digits, separated by dashes. */
export function readableSecret(groups: number, groupLength: number): string {
  const group = () => Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}
