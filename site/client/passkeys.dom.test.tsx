import { afterEach, expect, test, vi } from 'vitest';
import { sendWithPasskey } from './passkeys.ts';
import { callApi } from './api.ts';

const signed = { credentialId: 'c', clientDataJSON: 'd', authenticatorData: 'a', signature: 's', userHandle: 'u' };
vi.mock('@simplewebauthn/browser', async (original) => ({
  ...(await original<typeof import('@simplewebauthn/browser')>()),
  startAuthentication: () => Promise.resolve({ id: 'c', response: signed }),
}));
afterEach(() => vi.unstubAllGlobals());

const signIn = (code: string) => {
  vi.stubGlobal('fetch', (path: string) =>
    Promise.resolve(
      path.endsWith('/challenge')
        ? Response.json({ challenge: 'x', rpId: 'polls.example.org' })
        : Response.json({ code, message: code }, { status: 401 }),
    ),
  );
  return sendWithPasskey((body) => callApi('loginWithPasskey', { body }));
};

test('the browser is told about a passkey that this site does not know, and about no other', async () => {
  const signalUnknownCredential = vi.fn();
  vi.stubGlobal('PublicKeyCredential', { signalUnknownCredential });
  await expect(signIn('INVALID_PASSKEY')).rejects.toThrow('INVALID_PASSKEY');
  expect(signalUnknownCredential).not.toHaveBeenCalled();
  await expect(signIn('UNKNOWN_PASSKEY')).rejects.toThrow('UNKNOWN_PASSKEY');
  expect(signalUnknownCredential).toHaveBeenCalledWith({ rpId: 'polls.example.org', credentialId: 'c' });
});

test('a browser that can’t be told about an unknown passkey reports the refusal all the same', async () => {
  vi.stubGlobal('PublicKeyCredential', {});
  await expect(signIn('UNKNOWN_PASSKEY')).rejects.toThrow('UNKNOWN_PASSKEY');
});
