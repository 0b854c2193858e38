import { confirmedAddress } from '#api/members/accounts/email-changes.service.ts';
import type { Outbox, QueuedMail } from '#api/mail/outbox.service.ts';
import { record } from '#api/events/record.service.ts';
import { renderMail } from '#api/mail/render.service.ts';
import type { ComposedMail } from '#api/mail/render.service.ts';
import type { ResponseOf } from '#api/endpoints.contract.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import type { Operator } from '#platform/operator.ts';
import { todayMails, todayMailTexts as texts } from '#texts/admin-mail.ts';
import { todayTexts } from '#texts/admin-today.ts';
import { readRecord, replaceRecord } from './records.queries.ts';
import { today } from './today.service.ts';
import type { TodayContext } from './today.service.ts';

/** Milliseconds before the same kinds of things are reported again. */
const againMs = 86_400_000;

/** What reports and mail about decisions need. */
export interface NoticeContext extends TodayContext {
  readonly config: Pick<Config, 'dataDir' | 'publicUrl' | 'siteName' | 'timeZone'>;
  readonly mail: Outbox;
}

/** Things that need a decision; what is only good to know waits for the page. */
const undecided = async (context: TodayContext) => (await today(context)).items.filter(({ level }) => level !== 'note');

/**
 * Tells operators by mail, and webhooks, what needs a decision: at most once a day, or when there is something of a new
 * kind. Returns whether it did; of several processes, one does.
 */
export async function reportUndecided(context: NoticeContext): Promise<boolean> {
  const { db, clock, mail } = context;
  const found = await undecided(context);
  const kinds = found.map(({ kind }) => kind);
  const before = await readRecord(db, 'desk.notified');
  const now = clock.now();
  const known = before !== null && Math.abs(now - before.at) < againMs ? before.kinds : [];
  if (kinds.every((kind) => known.includes(kind))) return false;
  return db.transaction(async (trx) => {
    const after = { at: now, kinds: [...new Set([...known, ...kinds])] };
    if (!(await replaceRecord(trx, 'desk.notified', before, after))) return false;
    const items = found.map(({ kind, count }) => ({ kind, count }));
    const subject = { kind: 'site', id: '' };
    await record(trx, { type: 'desk.needs-decision', at: now, subject, after: { items, url: '/admin' } });
    const readers = await trx('operators').where('desk_mail', true).orderBy('user_id').pluck('user_id');
    for (const userId of readers) await mail.queue(trx, { kind: 'desk', userId, recipient: null });
    return true;
  });
}

/** Makes the mail when it is sent; null when nothing waits any more, or the reader doesn’t want it. */
export function todayComposer(
  context: Omit<NoticeContext, 'mail'>,
): (mail: QueuedMail) => Promise<ComposedMail | null> {
  const { db, config } = context;
  return async (mail) => {
    const userId = mail.userId!;
    const address = await confirmedAddress(db, userId);
    if (address === null || !(await wantsMail(db, userId))) return null;
    const items = await undecided(context);
    if (items.length === 0) return null;
    const lines = items.map((item) => ({ text: todayTexts.item(item) }));
    return renderMail(address, todayMails.needsDecision(config, lines));
  };
}

async function wantsMail(db: Database, userId: string): Promise<boolean> {
  const row = await db('operators').where({ user_id: userId }).first('desk_mail');
  return Boolean(row?.desk_mail);
}

/** Whether an operator gets mail about what needs a decision, and where; nobody does with the shared password. */
export async function deskMail(
  { db, mail }: Pick<NoticeContext, 'db' | 'mail'>,
  { id }: Operator,
): Promise<ResponseOf<'deskMail'>> {
  if (id === null) return { sendsMail: mail.on, member: false, address: null, on: false };
  const [address, on] = [await confirmedAddress(db, id), await wantsMail(db, id)];
  return { sendsMail: mail.on, member: true, address, on };
}

/** Turns this mail on or off for an operator. Throws CONFLICT with the shared password, which has no address. */
export async function setDeskMail({ db }: Pick<NoticeContext, 'db'>, { id }: Operator, on: boolean): Promise<void> {
  const changed = id === null ? 0 : await db('operators').where({ user_id: id }).update({ desk_mail: on });
  if (changed === 0) throw errors.conflict(texts.noMember);
}
