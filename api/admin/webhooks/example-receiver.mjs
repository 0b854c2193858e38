import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether a delivery is genuine and at most five minutes old. `headers` have lower-case names; `body` is the raw text. */
export function isGenuine(secret, headers, body, now = Date.now()) {
  const timestamp = headers['webhook-timestamp'];
  if (!(Math.abs(now / 1000 - Number(timestamp)) < 300)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${headers['webhook-id']}.${timestamp}.${body}`).digest();
  return headers['webhook-signature'].split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
