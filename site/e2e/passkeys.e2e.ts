import { secretIn, startMailServer } from '#api/testing/mail-server.ts';
import type { MailServer } from '#api/testing/mail-server.ts';
import { accessibilityFindings, expect, slow, test } from './fixtures.ts';
import { startInstallation } from './installation.ts';
import type { RunningSite } from './installation.ts';
import { sites } from './sites.ts';
import { registerInForm } from './page-helpers.ts';

const origin = `http://localhost:${sites.accounts.port}`;
let mail: MailServer;
let site: RunningSite | undefined;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  mail = await startMailServer();
  const settings = { PUBLIC_URL: origin, SMTP_URL: mail.url, MAIL_FROM: 'desk@polls.example', DEMO_DATA: 'off' };
  site = await startInstallation(sites.accounts, settings);
});

test.afterAll(async () => {
  await site?.stop();
  await mail.close();
});

test(
  'a member signs in with a passkey, loses phone and password, and gets back in with a mailed link',
  slow,
  async ({ browser }) => {
    const [username, password] = ['rosa', 'a windy day'];
    const secretOf = async (name: 'confirm' | 'reset') => {
      const secret = () => secretIn(mail.received.at(-1) ?? { text: '' }, name);
      await expect.poll(secret).toHaveLength(43);
      return secret();
    };
    const context = await browser.newContext({ baseURL: origin });
    const page = await context.newPage();
    const phone = await context.newCDPSession(page);
    await phone.send('WebAuthn.enable');
    const { authenticatorId } = await phone.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
        ...{ isUserVerified: true, automaticPresenceSimulation: true },
      },
    });

    await page.goto('/auth#register');
    await registerInForm(page, { Username: username, Password: password, Email: 'rosa@example.org' });
    await page.goto(`/auth/email#confirm=${await secretOf('confirm')}`);
    await page.getByRole('button', { name: 'Confirm address' }).click();
    await expect(page.getByText('rosa@example.org is confirmed.')).toBeVisible();

    await page.goto('/profile/account');
    const passkeys = page.getByRole('region', { name: 'Passkeys' });
    await passkeys.getByRole('button', { name: 'Add a passkey…' }).click();
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    await expect(passkeys.getByText(/^Added /)).toBeVisible();
    expect(await accessibilityFindings(page)).toEqual([]);

    const signIn = page.getByRole('button', { name: 'Sign in with a passkey' });
    await context.clearCookies();
    await page.goto('/auth?next=/profile/account');
    await signIn.click();
    await expect(page).toHaveURL('/profile/account');
    await expect(passkeys.getByText(/^Last used /)).toBeVisible();

    // Another computer, without the phone.
    const elsewhere = await (await browser.newContext({ baseURL: origin })).newPage();
    await elsewhere.goto('/auth');
    await elsewhere.getByRole('link', { name: 'Forgot your password?' }).click();
    await elsewhere.getByLabel('Username or email').fill('rosa@example.org');
    await elsewhere.getByRole('button', { name: 'Email me a link' }).click();
    await expect(elsewhere.getByText(/^If the account exists/)).toBeVisible();
    await elsewhere.goto(`/auth/recover#reset=${await secretOf('reset')}`);
    await elsewhere.getByLabel('New password', { exact: true }).fill('another windy day');
    await elsewhere.getByRole('button', { name: 'Set password and sign in' }).click();
    await expect(elsewhere).toHaveURL('/profile/account');
    await expect(elsewhere.getByText('You have no passkeys.')).toBeVisible();

    // Whoever found the phone.
    await context.clearCookies();
    await page.goto('/auth');
    await signIn.click();
    await expect(page.getByText('We don’t know this passkey').first()).toBeVisible();
    // The browser was told, and no longer offers it.
    await expect
      .poll(async () => (await phone.send('WebAuthn.getCredentials', { authenticatorId })).credentials)
      .toEqual([]);
  },
);
