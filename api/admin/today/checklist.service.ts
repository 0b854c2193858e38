import { confirmableSteps } from './today.contract.ts';
import type { Checklist, ChecklistStep } from './today.contract.ts';
import type { QueryOf } from '#api/endpoints.contract.ts';
import { countDemonstration } from '#api/admin/demonstration.service.ts';
import { lastBackupAt } from '#api/backup/last-backup.service.ts';
import { sendTestMail } from '#api/mail/test-mail.service.ts';
import { hasOwner } from '#api/admin/operators/shared-password.service.ts';
import { isoOrNull } from '#platform/clock.ts';
import { defaultSiteName } from '#platform/config.ts';
import type { Config } from '#platform/config.ts';
import { errors } from '#platform/errors.ts';
import { isLoopback, isThisMachine } from '#platform/trusted-proxies.ts';
import { record } from '#api/events/record.service.ts';
import { backupTest } from './backup-test.service.ts';
import { confirm, confirmations, readRecord, writeRecord } from './records.queries.ts';
import type { TodayContext } from './today.service.ts';

/** Seconds by which the clocks of server and browser may differ. */
const clockToleranceSeconds = 60;

/** What the use cases of the checklist need. */
export interface ChecklistContext extends TodayContext {
  readonly config: Pick<
    Config,
    'dataDir' | 'databaseUrl' | 'mailFrom' | 'publicUrl' | 'siteName' | 'smtpUrl' | 'supportEmail' | 'timeZone'
  >;
}

/** A browser’s request as the API sees it. */
export interface SeenRequest {
  /** As a trusted proxy forwards it; null if none does. */
  readonly protocol: string | null;
  /** As limits count it. */
  readonly address: string;
}

type State = Checklist['steps'][number]['state'];

/** The steps of setting up the site. `origin` and `clock` are the browser’s. */
export async function checklist(
  { db, clock, config }: ChecklistContext,
  seen: SeenRequest,
  browser: QueryOf<'checklist'>,
): Promise<Checklist> {
  const [confirmed, dismissed, mailTest, test, backupAt, demonstration, isOwned] = await Promise.all([
    confirmations(db),
    readRecord(db, 'desk.dismissed'),
    readRecord(db, 'desk.mail-test'),
    backupTest({ db, clock }),
    lastBackupAt(config.dataDir),
    countDemonstration(db),
    hasOwner(db),
  ]);
  const { siteName, publicUrl, supportEmail, smtpUrl } = config;
  const site = new URL(publicUrl);
  const problems = proxyProblemsOf(site, seen, browser, clock.now());
  const doneIf = (done: boolean): State => (done ? 'done' : 'todo');
  const states: Record<ChecklistStep, State> = {
    'site-name': doneIf(siteName !== defaultSiteName),
    'public-url': isThisMachine(site.hostname) ? 'todo' : site.protocol === 'https:' ? 'done' : 'problem',
    proxy: problems.length > 0 ? 'problem' : doneIf(!isThisMachine(site.hostname)),
    owner: doneIf(isOwned),
    'support-email': doneIf(!/[@.]example\.(com|net|org)$/i.test(supportEmail)),
    'legal-texts': 'todo',
    mail: smtpUrl === null || mailTest === null ? 'todo' : mailTest.accepted ? 'done' : 'problem',
    backup: test?.state === 'passed' ? 'done' : test?.state === 'failed' ? 'problem' : 'todo',
    demonstration: doneIf(demonstration === 0),
  };
  return {
    dismissed: dismissed !== null,
    steps: Object.entries(states).map(([step, state]) => {
      const at = confirmed.get(step) ?? null;
      return { step: step as ChecklistStep, state: at === null ? state : 'done', confirmedAt: isoOrNull(at) };
    }),
    site: { name: siteName, publicUrl, supportEmail, sendsMail: smtpUrl !== null },
    lastBackupAt: isoOrNull(backupAt),
    backupTest: test,
    demonstration,
    proxy: { ...seen, secureCookies: site.protocol === 'https:', problems },
  };
}

/** What is wrong on the way from the browser to the API. On this machine’s own address, only the clock can be. */
function proxyProblemsOf(
  site: URL,
  { protocol, address }: SeenRequest,
  { origin, clock }: QueryOf<'checklist'>,
  now: number,
): Checklist['proxy']['problems'] {
  const page = origin !== undefined && URL.canParse(origin) ? new URL(origin) : null;
  const isRemote = !isThisMachine(site.hostname);
  const difference = clock === undefined ? 0 : Math.abs(Date.parse(clock) - now) / 1_000;
  return [
    ...(page !== null && page.origin !== site.origin ? (['other-address'] as const) : []),
    ...(page?.protocol === 'http:' && !isThisMachine(page.hostname) ? (['plain-http'] as const) : []),
    ...(isRemote && protocol !== null && `${protocol}:` !== site.protocol ? (['other-protocol'] as const) : []),
    ...(isRemote && isLoopback(address) ? (['no-client-address'] as const) : []),
    ...(difference > clockToleranceSeconds ? (['clock'] as const) : []),
  ];
}

/** Confirms a step that the server can’t check, or takes that back. */
export async function confirmStep(
  { db, clock }: Pick<ChecklistContext, 'db' | 'clock'>,
  actor: string,
  step: (typeof confirmableSteps)[number],
  confirmed: boolean,
): Promise<void> {
  await db.transaction(async (trx) => {
    const at = clock.now();
    await confirm(trx, step, confirmed ? at : null);
    await record(trx, {
      at,
      actor,
      type: 'setup.confirm',
      subject: { kind: 'setup', id: step },
      after: { confirmed },
    });
  });
}

/** Hides the checklist from the first page, or shows it there again. */
export async function dismissChecklist(
  { db, clock }: Pick<ChecklistContext, 'db' | 'clock'>,
  actor: string,
  dismissed: boolean,
): Promise<void> {
  await db.transaction(async (trx) => {
    const at = clock.now();
    await writeRecord(trx, 'desk.dismissed', dismissed ? { at } : null);
    await record(trx, {
      at,
      actor,
      type: 'setup.dismiss',
      subject: { kind: 'setup', id: 'checklist' },
      after: { dismissed },
    });
  });
}

/** Sends a mail to an address; says why if the mail server does not accept it. Throws NOT_FOUND on a site without mail. */
export async function testMailTo(
  { db, clock, config }: ChecklistContext,
  actor: string,
  to: string,
): Promise<{ accepted: boolean; reason: string | null }> {
  if (config.smtpUrl === null) throw errors.noMail();
  const reason = await sendTestMail(config, to);
  const accepted = reason === null;
  await db.transaction(async (trx) => {
    const at = clock.now();
    await writeRecord(trx, 'desk.mail-test', { at, accepted });
    // Without the address, which is a person’s.
    await record(trx, {
      at,
      actor,
      type: 'setup.test-mail',
      subject: { kind: 'setup', id: 'mail' },
      after: { accepted },
    });
  });
  return { accepted, reason };
}
