import { randomInt } from 'node:crypto';
import { hashSecret } from '#platform/hash-secret.ts';

/** A code of six digits to mail. */
export const newMailedCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/** The digest of a mailed code; without what it belongs to, all codes could be hashed in a second. */
export const mailedCodeDigest = (owner: string, code: string): string => hashSecret(`${owner} ${code}`);
