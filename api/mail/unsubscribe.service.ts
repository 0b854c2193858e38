import { createHmac, timingSafeEqual } from 'node:crypto';
import { pathOf } from '#domain/path-of.ts';
import { accountKey } from '#domain/account-rules.ts';
import type { Database } from '#platform/database.ts';
import { hashSecret } from '#platform/hash-secret.ts';

/** Of what a link to unsubscribe ends: a member, or the digest of an address that was invited. */
const unsubscribeToken = (subject: string, key: string) =>
  // The prefix keeps these signatures distinct from others with the same keys.
  `${subject}.${createHmac('sha256', key).update(`unsubscribe ${subject}`).digest('base64url')}`;

/** The subject of a token that one of the keys has signed; undefined for any other. It works as long as the key does. */
export function unsubscribedSubject(token: string, keys: readonly string[]): string | undefined {
  const [subject = ''] = token.split('.');
  const given = Buffer.from(token);
  const isSigned = (key: string) => {
    const expected = Buffer.from(unsubscribeToken(subject, key));
    return expected.length === given.length && timingSafeEqual(expected, given);
  };
  return keys.some(isSigned) ? subject : undefined;
}

/** The page that ends mails, and the headers that end them with one click (RFC 8058). */
export function unsubscribeLinks(
  publicUrl: string,
  kind: 'unsubscribe' | 'stop',
  { subject, keys }: { readonly subject: string; readonly keys: readonly string[] },
): { readonly url: string; readonly headers: Readonly<Record<string, string>> } {
  const token = unsubscribeToken(subject, keys[0] ?? '');
  return {
    url: `${publicUrl}/auth/email#${kind}=${token}`,
    headers: {
      'List-Unsubscribe': `<${publicUrl}${pathOf('unsubscribe', { token })}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

/** What stands for an address that gets no invitations: the address itself isn't stored. */
export const addressDigest = (email: string) => hashSecret(accountKey(email));

/** Whether a subject of a token is an address; ids of members are shorter. */
export const isAddressDigest = (subject: string) => subject.length === addressDigest('').length;

/** Stops invitations to an address for good. */
export async function stopInvitations(db: Database, digest: string, now: number): Promise<void> {
  await db('stopped_invitations').insert({ digest, stopped_at: now }).onConflict('digest').ignore();
}

/** Whether the owner of an address wants no invitations. */
export async function areInvitationsStopped(db: Database, email: string): Promise<boolean> {
  return (
    (await db('stopped_invitations')
      .where({ digest: addressDigest(email) })
      .first('digest')) !== undefined
  );
}
