import { sendSignal, startAuthentication, startRegistration } from '@simplewebauthn/browser';
import type { NewPasskey, PasskeyCreation, PasskeyLogin } from '#api/members/accounts/passkeys.contract.ts';

/** EdDSA, ES256, and RS256. */
const algorithms = [-8, -7, -257];

/** Asks the browser to create a passkey; throws when the person cancels. */
export async function createPasskey(
  { challenge, rpId, rpName, userId, exclude }: PasskeyCreation,
  username: string,
): Promise<Omit<NewPasskey, 'name'>> {
  const { id, response } = await startRegistration({
    optionsJSON: {
      challenge,
      rp: { id: rpId, name: rpName },
      user: { id: userId, name: username, displayName: username },
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: exclude.map((one) => ({ type: 'public-key', id: one })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    },
  });
  return { credentialId: id, clientDataJSON: response.clientDataJSON, attestationObject: response.attestationObject };
}

/** Asks the browser to sign a challenge with any passkey for this site; throws when the person cancels. */
export async function signWithPasskey(options: {
  readonly challenge: string;
  readonly rpId: string;
}): Promise<PasskeyLogin> {
  const { id, response } = await startAuthentication({ optionsJSON: { ...options, userVerification: 'required' } });
  const { clientDataJSON, authenticatorData, signature, userHandle = '' } = response;
  return { credentialId: id, clientDataJSON, authenticatorData, signature, userHandle };
}

/** Tells the browser that this site doesn’t know a passkey; browsers that can’t be told keep it. */
export async function reportUnknownPasskey({
  rpId,
  credentialId,
}: {
  readonly rpId: string;
  readonly credentialId: string;
}): Promise<void> {
  const signal = { signalName: 'unknownCredential', rpID: rpId, credentialID: credentialId } as const;
  await sendSignal(signal).catch(() => undefined);
}
