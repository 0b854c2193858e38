import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { normalizeEmail } from '#api/members/accounts/email-address.service.ts';
import { confirmedAddress } from '#api/members/accounts/email-changes.service.ts';
import { mailedCodeDigest, newMailedCode, requireMailedCode } from '#api/mail/codes.service.ts';
import type { QueuedMail, Outbox } from '#api/mail/outbox.service.ts';
import { renderMail } from '#api/mail/render.service.ts';
import type { ComposedMail } from '#api/mail/render.service.ts';
import { guardedBallots } from '#api/voting/challenge-switch.service.ts';
import type { BallotKind } from '#api/voting/voting.service.ts';
import type { IdentifiedVoter } from '#api/voting/voter.ts';
import * as limits from '#contract/limits.ts';
import { accountKey } from '#domain/account-rules.ts';
import { mailboxOf } from '#domain/mailbox.ts';
import type { Attempt, Attempts } from '#platform/attempts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Row } from '#platform/database.ts';
import { removeExpired } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { hashSecret } from '#platform/hash-secret.ts';
import { subnetOf } from '#platform/trusted-proxies.ts';
import { noCodeNeededText } from '#texts/errors.ts';
import { voteCodeMail } from '#texts/mail.ts';
import type { MailSite } from '#texts/mail.ts';

interface VoteCodesContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly attempts: Attempts;
  readonly mail: Outbox;
  /** The digest of a mailbox on an open ballot, and null for a closed one. */
  readonly networks: { forMailbox(ballotId: string, mailbox: string): Promise<string | null> };
  readonly kinds: Readonly<Record<BallotKind['kind'], Pick<BallotKind, 'authorize'>>>;
  /** Binds requests to browsers; the same in all processes. */
  readonly secret: string;
}

/** A row of `vote_codes`; times in milliseconds. */
type CodeRow = Row<'vote_codes'>;

/** An address that a vote has used; undefined if an earlier request of the same vote has. */
export type UndoAddress = (() => Promise<void>) | undefined;

/** Confirms the addresses of voters with mailed codes, each for one vote per ballot. */
export interface VoteCodes {
  /** Whether this site sends mail. */
  readonly on: boolean;
  /**
   * Mails a code for a vote of this device. Returns what the vote has to send with the code. Whether the address was used
   * before is said in the mail alone. Throws NOT_FOUND on a site without mail, CONFLICT if votes need no code, POLL_CLOSED,
   * VALIDATION_FAILED, RATE_LIMITED, and what authorizing a vote throws.
   */
  request(vote: {
    readonly ballotId: string;
    readonly voter: Pick<IdentifiedVoter, 'device' | 'userId'>;
    readonly email: string;
    readonly address: string;
  }): Promise<string>;
  /**
   * Uses the address of a code for a vote that is about to be recorded; the result undoes it if it isn’t. A vote that is sent
   * again with the same code may use it again. Throws EMAIL_CODE_WRONG, EMAIL_CODE_EXPIRED, ADDRESS_USED.
   */
  use(ballotId: string, device: string, given: string): Promise<UndoAddress>;
  /** Throws ADDRESS_USED when a vote of somebody signed out has used the member’s confirmed address. */
  refuseUsed(ballotId: string, userId: string): Promise<void>;
}

const secretBytes = 16;
/** The tries of a code that was sent again after it was used. */
const sentAgain = 100;
const givenPattern = /^([\w-]{22})\.([\w-]{22})\.([0-9]{6})$/;

export function voteCodes({ db, clock, attempts, mail, networks, kinds, secret }: VoteCodesContext): VoteCodes {
  // Without it, one code could be sent by several browsers. The database has nothing that joins a request to a browser.
  const bind = (random: string, ballotId: string, device: string) =>
    createHmac('sha256', secret).update(`vote code ${random} ${ballotId} ${device}`).digest('base64url').slice(0, 22);
  const isBound = (mac: string, expected: string) => timingSafeEqual(Buffer.from(mac), Buffer.from(expected));
  /** The row of a code that this vote was sent with before; the address stays used then, whatever becomes of either. */
  const again = async (id: string) => {
    const [row] = await db('vote_codes')
      .where({ id, confirmed: true })
      .where('expires_at', '>', clock.now())
      .update({ tries: sentAgain })
      .returning('*');
    return row;
  };
  const used = (row: Pick<CodeRow, 'ballot_key' | 'address'>) => ({ ballot_key: row.ballot_key, digest: row.address });

  return {
    on: mail.on,
    async request({ ballotId, voter: { device, userId }, email: typed, address }) {
      if (!mail.on) throw errors.noMail();
      const email = normalizeEmail(typed);
      const mailbox = mailboxOf(email);
      const ballot = await db('ballots').where({ id: ballotId }).first('key', 'kind');
      if (ballot === undefined) throw errors.pollNotFound();
      await kinds[ballot.kind].authorize(ballotId, userId);
      const digest = await networks.forMailbox(ballotId, mailbox.key);
      if (digest === null) throw errors.pollClosed();
      // Nobody gets mail for a poll that anyone can vote on.
      if (!(await guardedBallots(db)).has(ballotId)) throw errors.conflict(noCodeNeededText);
      const counted: readonly Attempt[] = [
        ['voteCodeTo', mailbox.key],
        ['voteCodeFromAddress', address],
        ['voteCodeFromSubnet', subnetOf(address)],
        ...(mailbox.smallDomain === null ? [] : [['voteCodeToDomain', `${ballotId} ${mailbox.smallDomain}`] as const]),
      ];
      await attempts.count(counted);
      const random = randomBytes(secretBytes).toString('base64url');
      const id = hashSecret(random);
      await db.transaction(async (trx) => {
        const expires_at = clock.now() + limits.mailedCodeMinutes * 60_000;
        await trx('vote_codes').insert({ id, ballot_key: ballot.key, address: digest, expires_at });
        await mail.queue(trx, { kind: 'vote-code', userId: null, recipient: email, data: id });
      });
      return `${random}.${bind(random, ballotId, device)}`;
    },
    async use(ballotId, device, given) {
      const [, random = '', mac = '', code = ''] = givenPattern.exec(given) ?? [];
      if (random === '' || !isBound(mac, bind(random, ballotId, device))) throw errors.emailCodeExpired();
      const id = hashSecret(random);
      // Counted before it is compared: of many tries at once, five are.
      const [tried] = await db('vote_codes')
        .where({ id })
        .where('expires_at', '>', clock.now())
        .where('tries', '<', limits.mailedCodeTries)
        .where({ confirmed: false })
        .increment('tries', 1)
        .returning('*');
      const row = tried ?? (await again(id));
      if (row === undefined) throw errors.emailCodeExpired();
      requireMailedCode(id, code, { digest: row.code, tries: row.tries });
      if (tried === undefined) return undefined;
      const isFirst = await db.transaction(async (trx) => {
        const added = await trx('used_addresses').insert(used(row)).onConflict().ignore().returning('ballot_key');
        if (added.length > 0) await trx('vote_codes').where({ id }).update({ confirmed: true });
        return added.length > 0;
      });
      if (!isFirst) {
        // The same vote may have been sent twice at once.
        if (await again(id)) return undefined;
        throw errors.addressUsed();
      }
      return async () => {
        await db.transaction(async (trx) => {
          const undone = await trx('vote_codes')
            .where({ id })
            .whereNot({ tries: sentAgain })
            .update({ confirmed: false })
            .returning('id');
          if (undone.length > 0) await trx('used_addresses').where(used(row)).del();
        });
      };
    },
    async refuseUsed(ballotId, userId) {
      const email = await confirmedAddress(db, userId);
      const digest = email === null ? null : await networks.forMailbox(ballotId, mailboxOf(email).key);
      if (digest === null) return;
      const found = await db('used_addresses')
        .join('ballots', 'ballots.key', 'used_addresses.ballot_key')
        .where('ballots.id', ballotId)
        .where({ digest })
        .first('digest');
      if (found) throw errors.addressUsed();
    },
  };
}

/** Makes the mail with a code, or for an address that was used before one that says so; null once it has expired. */
export function voteCodeComposer({
  db,
  clock,
  config,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: MailSite;
}): (mail: QueuedMail) => Promise<ComposedMail | null> {
  return async ({ recipient, data: id }) => {
    const code = newMailedCode();
    const [row] = await db('vote_codes')
      .where({ id: id!, confirmed: false })
      .where('expires_at', '>', clock.now())
      .update({ code: mailedCodeDigest(id!, code) })
      .returning('*');
    if (row === undefined) return null;
    const used =
      (await db('used_addresses').where({ ballot_key: row.ballot_key, digest: row.address }).first('digest')) ??
      (await voteOfMember(db, row.ballot_key, recipient!));
    // Nobody gets to know a code that is of no use.
    if (used) await db('vote_codes').where({ id: id! }).del();
    return renderMail(recipient!, used ? voteCodeMail.used(config) : voteCodeMail.code(config, code));
  };
}

/** The vote of a member who has confirmed this address, perhaps in another spelling. */
const voteOfMember = (db: Database, ballotKey: number, email: string) =>
  db('users')
    .join('votes', 'votes.user_id', 'users.id')
    .whereIn('users.email_key', [accountKey(email), mailboxOf(email).key])
    .whereNotNull('users.email_confirmed_at')
    .where('votes.ballot_key', ballotKey)
    .first('votes.ballot_key');

/** Deletes codes that have expired. */
export async function sweepVoteCodes(db: Database, now: number): Promise<void> {
  await removeExpired(db, { table: 'vote_codes', key: 'id', column: 'expires_at' }, now);
}
