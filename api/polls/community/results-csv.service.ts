import { stringify } from 'csv-stringify/sync';
import { totalOf } from '#api/voting/choices.model.ts';
import { runoffOf } from '#api/voting/runoffs.service.ts';
import { rankedTexts } from '#texts/ranked.ts';
import { percentOneDecimal } from '#domain/poll-results.ts';
import { iso } from '#platform/clock.ts';
import { errors } from '#platform/errors.ts';
import { accessTo, authorize } from './access.service.ts';
import { findCommunityPoll } from './community-polls.queries.ts';
import type { CommunityContext } from './community-polls.service.ts';

/**
 * The counted votes of the caller’s own poll as CSV, one row per option in the poll’s order, with percentages of voters; of ranked
 * options, after the end, also the votes by round, with a row for those that rank none that is left, and the votes that rank one
 * above each other. Cells that a spreadsheet would run as a formula start with an apostrophe. Throws what `accessTo` throws, and
 * FORBIDDEN.
 */
export async function resultsCsv({ db, clock }: CommunityContext, pollId: string, userId: string): Promise<string> {
  const { may } = await accessTo({ db, now: clock.now() }, pollId, userId);
  authorize(may.edit);
  const poll = await findCommunityPoll(db, pollId);
  if (!poll) throw errors.pollNotFound();
  const { options, method } = poll.ballot;
  const total = totalOf(poll.ballot, options);
  const { rounds, pairwise } = (await runoffOf(db, poll.ballot, clock.now())) ?? { rounds: [], pairwise: [] };
  const header = [
    ...[
      'option',
      method === 'ranked' ? 'first choices' : 'votes',
      method === 'single' ? 'percent' : 'percent of voters',
    ],
    ...rounds.map((_, round) => `round ${round + 1}`),
  ];
  if (pairwise.length > 0) header.push(...options.map(({ text }) => `above ${text}`));
  const isAdded = options.some(({ written }) => written !== null);
  if (isAdded) header.push('added');
  const rows = options.map(({ text, votes, written, decided_at: at }, place) => [
    ...[text, votes, percentOneDecimal(votes, total)],
    ...rounds.map((round) => round.votes[place]),
    ...(pairwise[place] ?? []).map((above, other) => (other === place ? null : above)),
    ...(isAdded ? [written === null ? null : iso(at!)] : []),
  ]);
  if (rounds.length > 0) rows.push([rankedTexts.exhausted, null, null, ...rounds.map((round) => round.exhausted)]);
  // The byte order mark tells spreadsheets that the text is UTF-8.
  return stringify([header, ...rows], { bom: true, record_delimiter: '\r\n', escape_formulas: true });
}
