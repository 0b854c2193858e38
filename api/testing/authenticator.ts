import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { NewPasskey, PasskeyCreation, PasskeyLogin } from '#api/members/accounts/passkeys.contract.ts';

/** What a test makes an authenticator do wrong. */
interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  /** Whether the person was asked for a fingerprint or PIN. */
  readonly verified?: boolean;
  readonly counter?: number;
}

/** An authenticator in software, with one passkey (ES256) and a counter, as in the WebAuthn standard. */
export function authenticator(site: string) {
  const { origin: siteOrigin, hostname } = new URL(site);
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(16);
  let userHandle = '';
  let counter = 0;

  const clientData = (type: 'webauthn.create' | 'webauthn.get', challenge: string, origin = siteOrigin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticatorData = (
    { rpId = hostname, verified = true, counter: count = counter }: Deviation,
    attested = Buffer.alloc(0),
  ) => {
    const rest = Buffer.alloc(5);
    // Flags: user present, user verified, attested credential included.
    rest.writeUInt8(0x01 | (verified ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0));
    rest.writeUInt32BE(count, 1);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), rest, attested]);
  };

  return {
    /** Creates the passkey for a challenge. */
    create({ challenge, userId }: PasskeyCreation, name = 'My key', deviation: Deviation = {}): NewPasskey {
      userHandle = userId;
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      // CBOR: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const length = Buffer.from([0, credentialId.length]);
      const data = authenticatorData(deviation, Buffer.concat([Buffer.alloc(16), length, credentialId, key]));
      // CBOR: {"fmt": "none", "attStmt": {}, "authData": data}
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ]);
      return {
        name,
        credentialId: credentialId.toString('base64url'),
        clientDataJSON: clientData('webauthn.create', challenge, deviation.origin).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
      };
    },
    /** Signs a challenge, and raises the counter. */
    sign({ challenge }: { readonly challenge: string }, deviation: Deviation = {}): PasskeyLogin {
      counter += 1;
      const client = clientData('webauthn.get', challenge, deviation.origin);
      const data = authenticatorData(deviation);
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      return {
        credentialId: credentialId.toString('base64url'),
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: createSign('sha256').update(signed).sign(privateKey).toString('base64url'),
        userHandle,
      };
    },
  };
}
