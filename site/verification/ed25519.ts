import type { Verify } from '#domain/verification/note.ts';

/** Verifies Ed25519 with the browser’s WebCrypto. Throws where it has none: old browsers, and pages without HTTPS. */
export const verifyEd25519: Verify = async (publicKey, message, signature) => {
  const key = await crypto.subtle.importKey('raw', new Uint8Array(publicKey), 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', key, new Uint8Array(signature), new Uint8Array(message));
};

/** Whether this browser can verify Ed25519 signatures. */
export async function supportsEd25519(): Promise<boolean> {
  try {
    // The base point is a valid public key.
    const basePoint = new Uint8Array(32).fill(0x66);
    basePoint[0] = 0x58;
    await crypto.subtle.importKey('raw', basePoint, 'Ed25519', false, ['verify']);
    return true;
  } catch {
    return false;
  }
}
