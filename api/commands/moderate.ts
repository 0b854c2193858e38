import * as limits from '#contract/limits.ts';
import type { Reported } from '#api/moderation/moderation.contract.ts';
import { moderationActions, reportedKinds } from '#contract/vocabulary.ts';
import type { ModerationAction, ReportedKind } from '#contract/vocabulary.ts';
import { memberIds } from '#api/members/accounts/suspension.service.ts';
import { allowedActions, decide } from '#api/moderation/actions.service.ts';
import { reportQueue } from '#api/moderation/queue.service.ts';
import { breadcrumbLabel, cutText } from '#domain/poll-results.ts';
import { trimText } from '#domain/visible-text.ts';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { reportCategoryTexts } from '#texts/reporting.ts';
import { moderateTexts as texts } from '#texts/moderate-command.ts';
import { runCommand } from './command-line.ts';
import { openInstallation, prepareDatabase } from './prepare.ts';

const lineWidth = 96;
/** The exit code for invalid arguments. */
const usageError = 2;

await runCommand({
  help: texts.usage,
  positionals: true,
  options: { reason: { type: 'string' }, days: { type: 'string' } },
  async run({ reason: written = '', days }, [verb, kind, ...ids]) {
    if (verb === undefined) return refuse(texts.noVerb);
    if (verb === 'reported') return kind === undefined ? withDatabase(list) : refuse(texts.noWords);
    if (!isOneOf(moderationActions, verb)) return refuse(texts.unknownVerb(verb));
    const kinds = reportedKinds.filter((one) => allowedActions[one].includes(verb));
    if (!isOneOf(kinds, kind)) return refuse(texts.unknownKind(verb, kinds));
    if (ids.length === 0) return refuse(texts.noId(verb, kind));
    const reason = trimText(written);
    if (reason === '' || reason.length > limits.removalReason) return refuse(texts.noReason);
    const isPeriod = /^[1-9]\d{0,2}$/.test(days ?? '') && Number(days) <= 365;
    if (days !== undefined && (verb !== 'suspend' || !isPeriod)) return refuse(texts.badDays);
    return withDatabase((db) => change(db, { action: verb, kind, ids, reason, days }));
  },
});

function isOneOf<T extends string>(all: readonly T[], value: string | undefined): value is T {
  return all.some((one) => one === value);
}

function refuse(sentence: string): number {
  console.error(sentence);
  return usageError;
}

async function withDatabase(act: (db: Database) => Promise<number>): Promise<number> {
  const config = readConfig();
  const db = openInstallation(config);
  try {
    await prepareDatabase(db, config);
    return await act(db);
  } finally {
    await db.destroy();
  }
}

interface Change {
  readonly action: ModerationAction;
  readonly kind: ReportedKind;
  /** Usernames of members. */
  readonly ids: readonly string[];
  readonly reason: string;
  readonly days: string | undefined;
}

async function change(db: Database, { action, kind, ids, reason, days }: Change): Promise<number> {
  const members = kind === 'member' ? await memberIds(db, ids) : null;
  const until = days === undefined ? null : systemClock.now() + Number(days) * 86_400_000;
  let code = 0;
  for (const name of ids) {
    const id = members === null ? name : (members.get(name) ?? '');
    const decision = { action, actor: 'terminal', reason, until } as const;
    const outcome = await decide({ db, clock: systemClock }, { kind, id }, decision);
    if (outcome === 'missing') {
      console.error(texts.missing(kind, name));
      code = 1;
    } else console.log(outcome === 'changed' ? texts.changed(action, kind, name) : texts.unchanged(kind, name));
  }
  return code;
}

async function list(db: Database): Promise<number> {
  const { reported, total } = await reportQueue({ db, clock: systemClock }, {});
  console.log(total === 0 ? texts.none : texts.title(total));
  const rows = reported.map(cellsOf);
  const widthOf = (key: keyof typeof texts.heads) =>
    Math.max(texts.heads[key].length, ...rows.map((row) => row[key].length));
  const line = (row: Readonly<Record<keyof typeof texts.heads, string>>) =>
    [
      row.kind.padEnd(widthOf('kind')),
      row.id.padEnd(widthOf('id')),
      row.state.padEnd(widthOf('state')),
      row.reports.padStart(widthOf('reports')),
      row.reportedAt.padEnd(widthOf('reportedAt')),
      row.author.padEnd(widthOf('author')),
      row.title,
    ].join('  ');
  if (rows.length > 0) console.log(`\n  ${line(texts.heads)}`);
  for (const [n, row] of rows.entries()) {
    console.log(`\n  ${line(row)}`);
    const { text, reasons } = reported[n]!;
    if (text !== '') printBeside(texts.text, text);
    const said = reasons.map(({ category, reason }) =>
      reason === null ? reportCategoryTexts[category] : `${reportCategoryTexts[category]}: ${reason}`,
    );
    printBeside(texts.reasons, said.join(' | '));
  }
  if (total > rows.length) console.log(`\n  ${texts.more}`);
  return 0;
}

function cellsOf({ kind, id, title, member, hidden, reports, reportedAt }: Reported) {
  return {
    kind,
    id: kind === 'member' ? (member?.username ?? id) : id,
    state: hidden ? texts.states.hidden : texts.states.shown,
    reports: reports.toLocaleString('en-US'),
    reportedAt: reportedAt.slice(0, 16).replace('T', ' '),
    author: member === null ? texts.nobody : cutText(harmless(member.username), limits.usernameMax),
    title: breadcrumbLabel(harmless(title)),
  };
}

function printBeside(name: string, text: string): void {
  const lines = harmless(text).match(new RegExp(`.{1,${lineWidth}}(?=\\s|$)|.{${lineWidth}}`, 'gu')) ?? [];
  for (const [n, line] of lines.entries())
    console.log(`    ${(n === 0 ? name : '').padEnd(texts.reasons.length)}  ${line.trimStart()}`);
}

/** One line, without characters that move a terminal’s cursor or reverse a line’s direction. */
function harmless(text: string): string {
  return text.replace(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
}
