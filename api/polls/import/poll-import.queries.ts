import type { PollProtection } from '#contract/vocabulary.ts';
import { shownOptions } from '#api/voting/ballot.model.ts';
import { tidyProvenance } from '#domain/origin.ts';
import { protectionOf } from '#domain/protection.ts';
import type { CountryShare, Provenance } from '#api/polls/polls.contract.ts';
import { idList, insertRows, selectRows, updateRows } from '#platform/bulk-rows.ts';
import type { Columns } from '#platform/bulk-rows.ts';
import type { Database, Row } from '#platform/database.ts';
import type { PlannedPoll, StoredBallot, StoredOption } from './poll-plan.ts';

type BallotRow = Pick<
  Row<'ballots'>,
  'id' | 'is_active' | 'category' | 'publish_ballots' | 'protection' | 'starts_at' | 'ends_at' | 'closed_at'
>;

type PollRow = Row<'polls'>;

type OptionRow = Pick<
  Row<'ballot_options'>,
  | ('ballot_id' | 'option_id' | 'position' | 'offered' | 'text' | 'base_votes' | 'votes' | 'set_aside')
  | ('key' | 'written' | 'merged_into' | 'decided_at')
>;

/** The ballots with these ids, with their options and, for polls, their texts. */
export async function findStoredBallots(db: Database, ids: readonly string[]): Promise<Map<string, StoredBallot>> {
  const list = idList(db);
  const ballots = await selectRows<BallotRow>(
    db,
    `select id, is_active, category, publish_ballots, protection, starts_at, ends_at, closed_at from ballots where id in ${list}`,
    ids,
  );
  if (ballots.length === 0) return new Map();
  const found = ballots.map(({ id }) => id);
  const polls = await selectRows<PollRow>(
    db,
    `select id, question, description, tags, series, author, summary, analysis, methodology_notes, country_breakdown,
       series_note, provenance, created_at, updated_at, demonstration from polls where id in ${list}`,
    found,
  );
  const options = await selectRows<OptionRow>(
    db,
    `select ballot_id, option_id, position, offered, text, base_votes, votes, set_aside, key, written, merged_into, decided_at
       from ballot_options
       where ballot_id in ${list} order by ballot_id, position`,
    found,
  );
  const pollOf = new Map(polls.map((poll) => [poll.id, poll]));
  const optionsOf = Map.groupBy(options, (option) => option.ballot_id);
  return new Map(
    ballots.map((ballot) => [
      ballot.id,
      {
        id: ballot.id,
        isActive: Boolean(ballot.is_active),
        category: ballot.category,
        publishBallots: Boolean(ballot.publish_ballots),
        protection: protectionOf(ballot.protection) as PollProtection,
        startsAt: ballot.starts_at,
        endsAt: ballot.ends_at,
        closedAt: ballot.closed_at,
        options: shownOptions(optionsOf.get(ballot.id) ?? [], ['votes', 'set_aside']).map(presentOption),
        poll: presentPoll(pollOf.get(ballot.id)),
      },
    ]),
  );
}

/** Which of these ids are of polls that an operator deleted. */
export async function findDeletedIds(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const rows = await selectRows<{ id: string }>(db, `select id from deleted_polls where id in ${idList(db)}`, ids);
  return new Set(rows.map(({ id }) => id));
}

function presentOption(option: OptionRow & { readonly merged: readonly string[] }): StoredOption {
  return {
    id: option.option_id,
    position: option.position,
    offered: Boolean(option.offered),
    text: option.text,
    baseVotes: option.base_votes,
    votes: option.votes,
    setAside: option.set_aside,
    ...(option.decided_at !== null && { addedAt: option.decided_at }),
    ...(option.merged.length > 0 && { merged: option.merged }),
  };
}

function presentPoll(poll: PollRow | undefined): StoredBallot['poll'] {
  if (!poll) return null;
  return {
    question: poll.question,
    description: poll.description,
    tags: JSON.parse(poll.tags) as string[],
    series: poll.series,
    author: poll.author,
    summary: poll.summary,
    analysis: poll.analysis,
    methodologyNotes: poll.methodology_notes,
    countryBreakdown: JSON.parse(poll.country_breakdown) as CountryShare[],
    seriesNote: poll.series_note,
    provenance: tidyProvenance(JSON.parse(poll.provenance) as Provenance),
    createdAt: poll.created_at,
    updatedAt: poll.updated_at,
    demonstration: Boolean(poll.demonstration),
  };
}

const pollColumns = {
  id: 'text',
  question: 'text',
  description: 'text',
  tags: 'text',
  series: 'text',
  author: 'text',
  summary: 'text',
  analysis: 'text',
  methodology_notes: 'text',
  country_breakdown: 'text',
  series_note: 'text',
  provenance: 'text',
  created_at: 'bigint',
  updated_at: 'bigint',
  demonstration: 'boolean',
} as const satisfies Columns;

function pollRow(poll: PlannedPoll) {
  return {
    id: poll.id,
    question: poll.question,
    description: poll.description,
    tags: JSON.stringify(poll.tags),
    series: poll.series,
    author: poll.author,
    summary: poll.summary,
    analysis: poll.analysis,
    methodology_notes: poll.methodologyNotes,
    country_breakdown: JSON.stringify(poll.countryBreakdown),
    series_note: poll.seriesNote,
    provenance: JSON.stringify(poll.provenance),
    created_at: poll.createdAt,
    updated_at: poll.updatedAt,
    demonstration: poll.demonstration,
  };
}

/** Inserts the texts of new polls, whose ballots exist. */
export async function insertPolls(trx: Database, polls: readonly PlannedPoll[]): Promise<void> {
  await insertRows(trx, 'polls', pollColumns, polls.map(pollRow));
}

/** Updates the texts of stored polls. */
export async function updatePolls(trx: Database, polls: readonly PlannedPoll[]): Promise<void> {
  await updateRows(
    trx,
    'polls',
    pollColumns,
    polls.map(pollRow),
    Object.keys(pollColumns)
      .filter((name) => name !== 'id')
      .map((name) => `${name} = v.${name}`)
      .join(', '),
    'polls.id = v.id',
  );
}

export async function hasPolls(trx: Database): Promise<boolean> {
  return (await trx('polls').first('id')) !== undefined;
}
