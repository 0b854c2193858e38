import { StringDecoder } from 'node:string_decoder';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { CommunityPollModel } from '#api/polls/community/community-poll.model.ts';
import { ballotColumns, communityColumns, resultColumns } from './exports.contract.ts';
import type { ExportFormat, ExportKind, ExportSource } from './exports.contract.ts';
import { importColumns } from '#api/polls/import/poll-import.contract.ts';
import type { ImportColumn } from '#api/polls/import/poll-import.contract.ts';
import type { BallotModel } from '#api/voting/ballot.model.ts';
import type { Runoff } from '#domain/verification/instant-runoff.ts';
import { runoffOf } from '#api/voting/runoffs.service.ts';
import { choiceColumns, choiceOf, oneChoice, totalOf } from '#api/voting/choices.model.ts';
import { csvLine, withFormulaGuard } from '#domain/csv.ts';
import { byCircumstance } from '#domain/integrity/vote-traits.ts';
import { closedMoment, phaseOf } from '#domain/poll-lifecycle.ts';
import { percentOneDecimal } from '#domain/poll-results.ts';
import { showsResults } from '#domain/poll-visibility.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { newestBallotsFile } from '#api/integrity/log/proofs.service.ts';
import { findStoredBallots } from '#api/polls/import/poll-import.service.ts';
import type { StoredBallot, StoredOption } from '#api/polls/import/poll-import.service.ts';
import {
  exportablePolls,
  independentVotes,
  countedBallots,
  matchingPolls,
  publicCommunityPolls,
  votesApart,
} from './exports.queries.ts';
import type { ExportFilter } from './exports.queries.ts';

interface ExportContext {
  readonly db: Database;
  readonly clock: Clock;
}

/** A row as JSON; in CSV, lists are JSON texts and null is an empty field. */
type Row = Readonly<Record<string, unknown>>;

/**
 * A file with everything of one kind that matches, in chunks of text. Fields of CSV files that a spreadsheet would read as
 * a formula start with an apostrophe, which an import removes. Throws POLL_NOT_FOUND for one poll that doesn’t exist.
 */
export async function exportFile(
  context: ExportContext,
  kind: ExportKind,
  format: ExportFormat,
  filter: ExportFilter,
): Promise<AsyncIterable<string>> {
  const { db, clock } = context;
  const { source, poll } = filter;
  if (poll !== undefined && (await exportablePolls(db, source).where({ id: poll }).first('id')) === undefined)
    throw errors.pollNotFound();
  const columns = { polls: pollColumns[source], results: resultColumns, ballots: ballotColumns }[kind];
  const rows = rowsOf[kind](context, exportedPolls(db, source, matchingPolls(db, filter, clock.now())));
  return format === 'csv' ? asCsv(columns, rows) : asJson(rows);
}

const pollColumns: Readonly<Record<ExportSource, readonly string[]>> = {
  weekly: importColumns,
  community: communityColumns,
};

/** A poll to export: a weekly one, or a public community poll. */
interface Exported {
  readonly ballot: StoredBallot;
  /** Null for a weekly poll. */
  readonly community: CommunityPollModel | null;
}

type Rows = (context: ExportContext, batches: AsyncIterable<Exported[]>) => AsyncIterable<Row[]>;

const rowsOf: Readonly<Record<ExportKind, Rows>> = { polls: pollRows, results: resultRows, ballots: ballotRows };

async function* exportedPolls(
  db: Database,
  source: ExportSource,
  batches: AsyncIterable<string[]>,
): AsyncGenerator<Exported[]> {
  for await (const ids of batches) {
    const stored = await findStoredBallots(db, ids);
    // Read last: a poll that has become private since it was found is left out.
    const communities = source === 'community' ? await publicCommunityPolls(db, ids) : null;
    yield ids.flatMap((id) => {
      const [ballot, community] = [stored.get(id), communities?.get(id) ?? null];
      return ballot && (communities === null || community !== null) ? [{ ballot, community }] : [];
    });
  }
}

const stateOf = ({ ballot }: Exported, now: number) => {
  const phase = phaseOf(ballot, now);
  return phase === 'upcoming' ? 'scheduled' : phase;
};

/** Whether the results may be in a file: of community polls, those that everyone sees without voting. */
const hasOpenResults = ({ ballot, community }: Exported, now: number) =>
  community === null ||
  showsResults(community.result_visibility, { isCreator: false, hasVoted: false }, phaseOf(ballot, now) === 'closed');

async function* asCsv(columns: readonly string[], batches: AsyncIterable<Row[]>): AsyncGenerator<string> {
  // The byte order mark tells spreadsheets that the text is UTF-8.
  yield `\uFEFF${csvLine(columns)}`;
  for await (const rows of batches)
    yield rows.map((row) => csvLine(columns.map((column) => withFormulaGuard(fieldOf(row[column]))))).join('');
}

const fieldOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

async function* asJson(batches: AsyncIterable<Row[]>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const rows of batches)
    for (const row of rows) {
      yield separator + JSON.stringify(row);
      separator = ',\n';
    }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** Weekly polls as an import reads them: the votes of their options are the imported ones. */
async function* pollRows({ db, clock }: ExportContext, batches: AsyncIterable<Exported[]>): AsyncGenerator<Row[]> {
  for await (const polls of batches) {
    const counted = await countedBallots(
      db,
      polls.flatMap(({ ballot, community }) => (community === null ? [] : [ballot.id])),
    );
    yield polls.flatMap((poll): Row[] =>
      poll.community === null
        ? pollRow(poll.ballot)
        : [communityRow(poll, poll.community, counted.get(poll.ballot.id), clock.now())],
    );
  }
}

/** Without the creator, whose name would stay in files after the account is deleted. */
function communityRow(
  poll: Exported,
  community: CommunityPollModel,
  counted: BallotModel | undefined,
  now: number,
): Record<(typeof communityColumns)[number], unknown> {
  const { ballot } = poll;
  return {
    id: ballot.id,
    question: community.question,
    description: community.description,
    options: ballot.options.map(({ id, text }) => ({ id, text })),
    state: stateOf(poll, now),
    category: community.category,
    tags: community.tags,
    created_at: iso(community.created_at),
    edited_at: isoOrNull(community.edited_at),
    starts_at: iso(ballot.startsAt),
    ends_at: isoOrNull(ballot.endsAt),
    closed_at: isoOrNull(closedMoment(ballot, now)),
    result_visibility: community.result_visibility,
    publish_ballots: ballot.publishBallots,
    protection: ballot.protection,
    ...choiceColumns(counted ? choiceOf(counted) : oneChoice),
    comments: community.comment_count,
    total_votes: counted ? totalOf(counted, ballot.options) : 0,
  };
}

function pollRow(ballot: StoredBallot): Record<ImportColumn, unknown>[] {
  const { poll } = ballot;
  if (poll === null || ballot.endsAt === null) return [];
  const { source, sample, fieldDates, mode, sponsor, license, link } = poll.provenance;
  return [
    {
      id: ballot.id,
      question: poll.question,
      description: poll.description,
      options: ballot.options.map(({ id, text, baseVotes }) => ({ id, text, votes: baseVotes })),
      is_active: ballot.isActive,
      created_at: iso(poll.createdAt),
      ends_at: iso(ballot.endsAt),
      starts_at: iso(ballot.startsAt),
      total_votes: ballot.options.reduce((sum, { baseVotes }) => sum + baseVotes, 0),
      summary: poll.summary,
      analysis: poll.analysis,
      methodology_notes: poll.methodologyNotes,
      author: poll.author,
      category: ballot.category,
      tags: poll.tags,
      closed_at: isoOrNull(ballot.closedAt),
      country_breakdown: poll.countryBreakdown,
      updated_at: iso(poll.updatedAt),
      series: poll.series,
      publish_ballots: ballot.publishBallots,
      protection: ballot.protection,
      series_note: poll.seriesNote,
      source: source ?? null,
      sample: sample ?? null,
      field_dates: fieldDates ?? null,
      mode: mode ?? null,
      sponsor: sponsor ?? null,
      license: license ?? null,
      link: link ?? null,
    },
  ];
}

async function* resultRows({ db, clock }: ExportContext, batches: AsyncIterable<Exported[]>): AsyncGenerator<Row[]> {
  for await (const polls of batches) {
    const ids = polls.map(({ ballot }) => ballot.id);
    const counted = await countedBallots(db, ids);
    const independent = await independentVotes(db, ids);
    const apart = await votesApart(db, ids);
    const now = clock.now();
    const runoffs = new Map<string, Runoff>();
    for (const poll of polls) {
      const found = counted.get(poll.ballot.id);
      const runoff = found && hasOpenResults(poll, now) ? await runoffOf(db, found, now) : null;
      if (runoff) runoffs.set(poll.ballot.id, runoff);
    }
    yield polls.flatMap((poll) => {
      const { ballot, community } = poll;
      const found = counted.get(ballot.id);
      // Deleted a moment ago.
      if (found === undefined) return [];
      const runoff = runoffs.get(ballot.id);
      const total = totalOf(found, ballot.options);
      const isShown = hasOpenResults(poll, now);
      // Votes for several options are counted apart under the first one that they name: their sum is that of the voters.
      const isApart = isShown && found.method !== 'several';
      const sum = ({ id, merged = [] }: StoredOption, votesOf: (id: string) => number | undefined) =>
        [id, ...merged].reduce((votes, one) => votes + (votesOf(one) ?? 0), 0);
      return ballot.options.map((option, index): Record<(typeof resultColumns)[number], unknown> => ({
        poll_id: ballot.id,
        question: community?.question ?? ballot.poll?.question ?? '',
        state: stateOf(poll, now),
        starts_at: iso(ballot.startsAt),
        ends_at: isoOrNull(ballot.endsAt),
        closed_at: isoOrNull(closedMoment(ballot, now)),
        option_id: option.id,
        option: option.text,
        position: index + 1,
        votes: isShown ? option.votes : null,
        percent: isShown ? percentOneDecimal(option.votes, total) : null,
        imported_votes: option.baseVotes,
        total_votes: total,
        set_aside_votes: found.set_aside_votes,
        ...byCircumstance(({ column }) =>
          isApart ? sum(option, (one) => apart.get(ballot.id)?.get(one)?.[column]) : null,
        ),
        independent_votes:
          isShown && independent.has(ballot.id) ? sum(option, (one) => independent.get(ballot.id)![one]) : null,
        rounds: runoff?.rounds.map(({ votes }) => votes[index]) ?? null,
        exhausted_votes: runoff?.rounds.map(({ exhausted }) => exhausted) ?? null,
        preferred_to: runoff ? votesOver(ballot.options, runoff.pairwise[index]!, index) : null,
        added_at: isoOrNull(option.addedAt ?? null),
      }));
    });
  }
}

const votesOver = (options: readonly { readonly id: string }[], votes: readonly number[], own: number) =>
  Object.fromEntries(options.flatMap(({ id }, place) => (place === own ? [] : [[id, votes[place]]])));

const statuses: Readonly<Record<string, string>> = { c: 'counted', s: 'set aside', h: 'held' };

/** The ballots of the newest published files: what everybody can download per poll, and nothing else. */
async function* ballotRows({ db, clock }: ExportContext, batches: AsyncIterable<Exported[]>): AsyncGenerator<Row[]> {
  for await (const polls of batches)
    for (const poll of polls) {
      const { id } = poll.ballot;
      const file = hasOpenResults(poll, clock.now()) ? await newestBallotsFile(db, id) : null;
      if (file === null) continue;
      const options: string[] = [];
      for await (const lines of linesOf(unpacked(file.parts)))
        yield lines.flatMap((line) => {
          const [, option] = /^option \d+ (\S+)$/.exec(line) ?? [];
          if (option !== undefined) options.push(option);
          const [receipt, number, batch, status = ''] = line.split('\t');
          if (batch === undefined) return [];
          return [
            {
              poll_id: id,
              version: file.version,
              receipt,
              option_id: number
                ?.split(',')
                .map((place) => options[Number(place)])
                .join(),
              batch: Number(batch),
              status: statuses[status.charAt(0)],
              decision: status.length > 1 ? Number(status.slice(1)) : null,
            } satisfies Record<(typeof ballotColumns)[number], unknown>,
          ];
        });
    }
}

/** The bytes of a packed file; an error of its parts is thrown to the reader. */
const unpacked = (parts: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> =>
  pipeline(Readable.from(parts), createGunzip(), () => undefined);

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const decoder = new StringDecoder('utf8');
  let tail = '';
  for await (const chunk of chunks) {
    const lines = (tail + decoder.write(chunk)).split('\n');
    tail = lines.pop() ?? '';
    yield lines;
  }
}
