import { createHash } from 'node:crypto';

/** Digest of a content, as a release's list of files (api/publishing/compress.ts) and ETags have it. */
export const digestOf = (content: Buffer | string) =>
  createHash('sha256').update(content).digest('base64url').slice(0, 27);

/** Whether an If-None-Match header names the tag; the comparison is weak, as the standard says. */
export function matches(header: string, etag: string): boolean {
  if (header === etag) return true;
  return header.split(',').some((part) => {
    const tag = part.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}
