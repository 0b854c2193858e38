import * as limits from '#contract/limits.ts';
import { breadcrumbLabel, cutText } from '#domain/poll-results.ts';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import type { ReportedComment } from '#api/comments/moderation.service.ts';
import { reportedComments, setCommentHidden } from '#api/comments/moderation.service.ts';
import { moderateTexts as texts } from '#texts/comments.ts';
import { runCommand } from './command-line.ts';
import { openInstallation, prepareDatabase } from './prepare.ts';

/** The number of reported comments that are printed. */
const printed = 200;
const lineWidth = 96;
/** The exit code for invalid arguments. */
const usageError = 2;

await runCommand({
  help: texts.usage,
  positionals: true,
  options: {},
  async run(_, [verb, ...words]) {
    if (verb === undefined) return refuse(texts.noVerb);
    if (verb !== 'reported' && verb !== 'hide' && verb !== 'unhide') return refuse(texts.unknownVerb(verb));
    const [commentId] = words;
    const most = verb === 'reported' ? 0 : 1;
    if (words.length > most) return refuse(texts.tooManyWords(verb, most));
    if (verb === 'reported') return withDatabase(list);
    if (commentId === undefined) return refuse(texts.noComment(verb));
    return withDatabase((db) => change(db, verb, commentId));
  },
});

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

async function change(db: Database, verb: 'hide' | 'unhide', commentId: string): Promise<number> {
  const outcome = await setCommentHidden({ db, clock: systemClock }, commentId, verb === 'hide');
  if (outcome === 'missing') {
    console.error(texts.missing(commentId));
    return 1;
  }
  console.log(texts.outcomes[verb][outcome](commentId));
  return 0;
}

async function list(db: Database): Promise<number> {
  const { comments, total } = await reportedComments(db, printed);
  console.log(total === 0 ? texts.none : texts.title(total));
  const rows = comments.map(cellsOf);
  const widthOf = (key: keyof typeof texts.heads) =>
    Math.max(texts.heads[key].length, ...rows.map((row) => row[key].length));
  const line = (row: Readonly<Record<keyof typeof texts.heads, string>>) =>
    [
      row.id.padEnd(widthOf('id')),
      row.state.padEnd(widthOf('state')),
      row.reports.padStart(widthOf('reports')),
      row.reportedAt.padEnd(widthOf('reportedAt')),
      row.author.padEnd(widthOf('author')),
      row.poll,
    ].join('  ');
  if (rows.length > 0) console.log(`\n  ${line(texts.heads)}`);
  for (const [n, row] of rows.entries()) {
    console.log(`\n  ${line(row)}`);
    const { content, reasons } = comments[n]!;
    printBeside(texts.text, content);
    printBeside(texts.reasons, reasons.length === 0 ? texts.noReasons : reasons.join(' | '));
  }
  if (total > rows.length) console.log(`\n  ${texts.more(total - rows.length)}`);
  return 0;
}

function cellsOf(comment: ReportedComment): Record<keyof typeof texts.heads, string> {
  return {
    id: comment.id,
    state: comment.hidden ? texts.states.hidden : texts.states.shown,
    reports: comment.reports.toLocaleString('en-US'),
    reportedAt: new Date(comment.reportedAt).toISOString().slice(0, 16).replace('T', ' '),
    author: cutText(harmless(comment.author), limits.usernameMax),
    poll: breadcrumbLabel(harmless(comment.question)),
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
