import { stringify } from 'csv-stringify/sync';
import { totalOf } from '#api/voting/choices.model.ts';
import { percentOneDecimal } from '#domain/poll-results.ts';
import { errors } from '#platform/errors.ts';
import { accessTo, authorize } from './access.service.ts';
import { findCommunityPoll } from './community-polls.queries.ts';
import type { CommunityContext } from './community-polls.service.ts';

/**
 * The counted votes of the caller’s own poll as CSV, one row per option in the poll’s order, with percentages of voters. Cells that a spreadsheet would
 * run as a formula start with an apostrophe. Throws what `accessTo` throws, and FORBIDDEN.
 */
export async function resultsCsv({ db, clock }: CommunityContext, pollId: string, userId: string): Promise<string> {
  const { may } = await accessTo({ db, now: clock.now() }, pollId, userId);
  authorize(may.edit);
  const poll = await findCommunityPoll(db, pollId);
  if (!poll) throw errors.pollNotFound();
  const { options } = poll.ballot;
  const total = totalOf(poll.ballot, options);
  // The byte order mark tells spreadsheets that the text is UTF-8.
  return stringify(
    options.map(({ text, votes }) => ({ option: text, votes, percent: percentOneDecimal(votes, total) })),
    {
      header: true,
      columns: ['option', 'votes', 'percent'],
      bom: true,
      record_delimiter: '\r\n',
      escape_formulas: true,
    },
  );
}
