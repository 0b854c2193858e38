import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** A new secret as receivers configure it: 24 random bytes in base64 after a prefix (Standard Webhooks). */
export const newWebhookSecret = (): string => prefix + randomBytes(24).toString('base64');

/**
 * The headers that prove where a delivery comes from, as Standard Webhooks defines them: HMAC-SHA-256 of
 * `id.timestamp.body`, one signature per secret. `timestamp` is in seconds.
 */
export function signatureHeaders(
  { id, timestamp, body }: { readonly id: string; readonly timestamp: number; readonly body: string },
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
