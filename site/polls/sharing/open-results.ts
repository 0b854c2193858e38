import { createHash } from 'node:crypto';
import { stringify } from 'csv-stringify/sync';
import type { OpenResults, Poll } from '#api/polls/polls.contract.ts';
import { percentOneDecimal, rankOptions } from '#domain/poll-results.ts';
import { isVotedHere, provenanceOf } from '#domain/origin.ts';
import { citationOf, reportProse } from '#domain/report-wording.ts';
import { figuresOf, isProvisional } from '#domain/vote-figures.ts';
import { figuresSentence, independentNote, otherLeader } from '#domain/figure-sentences.ts';
import { formatLongDay } from '#site/ui/format.ts';
import { reportTexts } from '#texts/report.ts';
import { sharingTexts } from '#texts/sharing.ts';

/** The open results of a closed poll. `publicUrl` has no trailing slash. */
export function openResults(poll: Poll, { siteName, publicUrl }: { siteName: string; publicUrl: string }): OpenResults {
  const { id, question, description, category, tags, author, startsAt, closedAt, updatedAt, totalVotes } = poll;
  const report = `${publicUrl}/poll/${id}`;
  const { receivedVotes, setAsideVotes, heldVotes, interventions } = figuresOf(poll);
  const isRanked = totalVotes > 0 && !isProvisional(poll);
  const ranks = new Map(rankOptions(poll.options).map((option) => [option.id, option.rank]));
  return {
    poll: { id, question, description, category, tags, author, startsAt, closedAt, updatedAt, report },
    totalVotes,
    receivedVotes,
    setAsideVotes,
    heldVotes,
    interventions: [...interventions],
    ...(poll.independent !== undefined && { independent: poll.independent }),
    ...(poll.votesApart !== undefined && { votesApart: poll.votesApart }),
    options: poll.options.map((option) => ({
      id: option.id,
      text: option.text,
      rank: isRanked ? (ranks.get(option.id) ?? 1) : null,
      votes: option.votes,
      percent: percentOneDecimal(option.votes, totalVotes),
    })),
    countries: poll.countryBreakdown,
    method: [...reportProse(poll, reportTexts.wording).methodology],
    citation: citationOf(poll, siteName, report, formatLongDay(poll.closedAt ?? poll.endsAt)),
    license: isVotedHere(poll)
      ? sharingTexts.open.license(siteName, report)
      : sharingTexts.open.importedLicense(report, provenanceOf(poll)),
    checksum: { algorithm: 'SHA-256', of: sharingTexts.open.checksumOf, value: checksumOf(poll) },
  };
}

/** The checksum that shows a copy of the results is unchanged; `sharingTexts.open.checksumOf` describes it. */
export function checksumOf({ id, closedAt, totalVotes, options }: Poll): string {
  const lines = [id, closedAt ?? '', totalVotes, ...options.map((one) => `${one.id}\t${one.votes}\t${one.text}`)];
  return createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('hex');
}

/**
 * One row per option, most votes first, one for the votes that are not counted, and one for the independent votes, if any;
 * everything else is in the JSON. Cells that a spreadsheet would run as a formula start with an apostrophe.
 */
export function openResultsCsv(results: OpenResults): string {
  const rows: Record<string, string | number>[] = results.options
    .toSorted((a, b) => b.votes - a.votes)
    .map(({ rank, text, votes, percent }) => ({ rank: rank ?? '', option: text, votes, percent }));
  const notCounted = results.receivedVotes - results.totalVotes;
  const figures = figuresSentence(results);
  if (figures !== null && notCounted > 0) rows.push({ rank: '', option: figures, votes: notCounted, percent: '' });
  const note = independentNote(results);
  if (results.independent !== undefined && note !== null) {
    const leader = otherLeader(results);
    const option = leader === null ? note : `${leader} ${note}`;
    rows.push({ rank: '', option, votes: results.independent.votes, percent: '' });
  }
  // The byte order mark tells spreadsheets that the text is UTF-8.
  return stringify(rows, {
    header: true,
    columns: ['rank', 'option', 'votes', 'percent'],
    bom: true,
    record_delimiter: '\r\n',
    escape_formulas: true,
  });
}

/** The results as indented JSON. */
export function openResultsJson(results: OpenResults): string {
  return `${JSON.stringify(results, null, 2)}\n`;
}
