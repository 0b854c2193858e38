import { createHash } from 'node:crypto';

/** Digest of a content, as a release's list of files (api/publishing/compress.ts) and ETags have it. */
export const digestOf = (content: Buffer) => createHash('sha256').update(content).digest('base64url').slice(0, 27);
