import { randomBytes } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { hashSecret } from '#platform/hash-secret.ts';
import type { MailKind, QueuedMail } from '#api/mail/outbox.service.ts';
import { renderMail } from '#api/mail/render.service.ts';
import type { ComposedMail } from '#api/mail/render.service.ts';
import { accountMails } from '#texts/mail.ts';
import type { MailSite, MailText } from '#texts/mail.ts';
import { findUserByKey } from './accounts.service.ts';
import { emailLinkMs } from './email-changes.service.ts';
import { codeForDevice } from './known-devices.service.ts';
import { mailableResetLink } from './reset-links.service.ts';
import { UserModel } from './user.model.ts';

interface AccountMailsContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: MailSite;
}

type Compose = (mail: QueuedMail) => Promise<ComposedMail | null>;

/** Makes the mails about accounts when they are sent. */
export function accountComposers({
  db,
  clock,
  config,
}: AccountMailsContext): Record<Exclude<MailKind, 'digest' | 'desk' | 'invitation' | 'vote-code'>, Compose> {
  /** A mail that was addressed when it was queued. */
  const notice =
    (text: (site: MailSite, username: string) => MailText): Compose =>
    async ({ userId, recipient }) => {
      const user = await UserModel.query(db).findById(userId!);
      return user ? renderMail(recipient!, text(config, user.username)) : null;
    };
  /** A mail with a new link that confirms an address, if the account still waits for it. */
  const confirmation = async (
    request: { readonly user_id: string | null } & (
      { readonly email: string | null } | { readonly requested_at: number }
    ),
    text: (site: MailSite, username: string, url: string) => MailText,
  ): Promise<ComposedMail | null> => {
    const secret = randomBytes(32).toString('base64url');
    const [waiting] = await db('email_changes')
      .where(request)
      .update({ digest: hashSecret(secret), expires_at: clock.now() + emailLinkMs })
      .returning('email');
    const user = waiting && (await UserModel.query(db).findById(request.user_id!));
    // The fragment is not sent to servers, which may log addresses.
    const url = `${config.publicUrl}/auth/email#confirm=${secret}`;
    return user ? renderMail(waiting.email, text(config, user.username, url)) : null;
  };
  return {
    'reset-password': async ({ data, attempts }) => {
      const user = await findUserByKey(db, data!);
      if (!user?.email || user.email_confirmed_at === null) return null;
      const link = await mailableResetLink({ db, clock, config }, user, attempts > 1);
      return link === null ? null : renderMail(user.email, accountMails.resetPassword(config, user.username, link));
    },
    'confirm-email': ({ userId, recipient: email }) =>
      confirmation({ user_id: userId, email }, accountMails.confirmEmail),
    'confirm-reminder': ({ userId, data }) =>
      confirmation({ user_id: userId, requested_at: Number(data) }, accountMails.confirmReminder),
    'email-changed': notice(accountMails.emailChanged),
    'email-removed': notice(accountMails.emailRemoved),
    'sign-in-code': async ({ userId, recipient, data }) => {
      const user = await UserModel.query(db).findById(userId!);
      const code = user && (await codeForDevice(db, data!, clock.now()));
      return code ? renderMail(recipient!, accountMails.signInCode(config, user.username, code)) : null;
    },
    'password-changed': notice(accountMails.passwordChanged),
    'passkey-added': notice(accountMails.passkeyAdded),
    'passkey-removed': notice(accountMails.passkeyRemoved),
    'codes-created': notice(accountMails.codesCreated),
  };
}
