import { isCounted, isSetAside } from '#api/voting/voting.service.ts';
import { badgeNumbers } from './badges.contract.ts';
import type { Deed, History, OwnPoll, PollFigures, VoteTrait } from '#domain/badges/progress.ts';
import { dayMs } from '#domain/badges/calendar.ts';
import type { Database } from '#platform/database.ts';

/** What a member did, and how their polls did, from the rows that exist and the events of those that are gone. */
export async function historyOf(db: Database, userId: string): Promise<History> {
  return {
    deeds: await deedsOf(db, userId),
    polls: await pollsOf(db, userId),
    badges: await db('badges').where({ user_id: userId }).orderBy(['earned_at', 'id']).pluck('badge_type'),
  };
}

/** Events of one type on one day with the same details. */
interface DeedRow {
  readonly type: Deed['type'];
  readonly kind: 'poll' | 'community-poll';
  readonly day: number;
  /** JSON, where rules read it. */
  readonly details: string | null;
  readonly set_aside: 0 | 1;
  readonly count: number | string;
}

async function deedsOf(db: Database, userId: string): Promise<Deed[]> {
  const setAside = db('votes as v')
    .join('ballots as b', 'b.key', 'v.ballot_key')
    .where('v.user_id', userId)
    .whereRaw(isSetAside('v'))
    .select('b.id');
  const rows = await db('events')
    .where({ member_id: userId })
    .whereNot({ type: 'poll.figures' })
    .whereNot({ type: 'badge.earned' })
    // By their places in the list below.
    .groupByRaw('1, 2, 3, 4, 5')
    .select<DeedRow[]>(
      ...['type', 'subject_kind as kind'],
      db.raw(`at / ${dayMs} as day`),
      db.raw(`case when type in ('member.joined', 'vote.cast') then after
        when type = 'comment.posted' and after like '%"full":true%' then '{"full":true}' end as details`),
      db.raw(`case when type = 'vote.cast' and subject in ? then 1 else 0 end as set_aside`, [setAside]),
      db.raw('count(*) as count'),
    );
  return rows.map(deedOf);
}

function deedOf(row: DeedRow): Deed {
  const { type, day } = row;
  const deed = { day, count: Number(row.count) };
  const details = JSON.parse(row.details ?? '{}') as {
    early?: boolean;
    category?: string | null;
    traits?: VoteTrait[];
    setAside?: boolean;
    full?: boolean;
  };
  switch (type) {
    case 'member.joined':
      return { ...deed, type, early: details.early === true };
    case 'vote.cast': {
      const { category = null, traits = [] } = details;
      const setAside = row.set_aside === 1 || details.setAside === true;
      return { ...deed, type, kind: row.kind === 'poll' ? 'poll' : 'community', category, traits, setAside };
    }
    case 'comment.posted':
      return { ...deed, type, full: details.full === true };
    default:
      return { ...deed, type };
  }
}

/** The community polls that a member created: those that exist as they are, deleted ones as they were. */
async function pollsOf(db: Database, userId: string): Promise<OwnPoll[]> {
  const figures = await figuresOf(db, { 'poll.created_by': userId });
  const rows = await db('events')
    .where({ member_id: userId })
    .whereIn('type', ['poll.created', 'poll.figures'])
    .select('type', 'subject', 'after');
  for (const { type, subject, after } of rows)
    if (type === 'poll.figures') figures.set(subject, JSON.parse(after!) as PollFigures);
  return rows.flatMap(({ type, subject, after }) => {
    const known = figures.get(subject);
    if (type !== 'poll.created' || known === undefined) return [];
    return { ...(JSON.parse(after!) as Pick<OwnPoll, 'visibility' | 'category' | 'options'>), ...known };
  });
}

interface FigureRow {
  readonly id: string;
  readonly votes: number;
  readonly comments: number;
  readonly closed_at: number | null;
  readonly held: number;
  /** Counted votes of the creator, as far as they were cast with the account. */
  readonly own: number | string;
  readonly first: number | null;
  readonly second: number | null;
}

/** The figures of community polls, by id. */
export async function figuresOf(
  db: Database,
  which: Readonly<Record<string, string>>,
): Promise<Map<string, PollFigures>> {
  const leading = (place: number) =>
    `(select o.votes from ballot_options o where o.ballot_id = ballot.id order by o.votes desc limit 1 offset ${place})`;
  const own = `(select count(*) from votes v
    where v.ballot_key = ballot.key and v.user_id = poll.created_by and ${isCounted('v')})`;
  const rows = await db('community_polls as poll')
    .join('ballots as ballot', 'ballot.id', 'poll.id')
    .where(which)
    .select<FigureRow[]>(
      ...['poll.id', 'ballot.total_votes as votes', 'poll.comment_count as comments', 'ballot.closed_at'],
      ...['ballot.held_votes as held', db.raw(`${own} as own`)],
      db.raw(`${leading(0)} as first`),
      db.raw(`${leading(1)} as second`),
    );
  return new Map(
    rows.map(({ id, votes, comments, closed_at, held, own: ownVotes, first, second }) => [
      id,
      {
        votes,
        comments,
        qualified: votes - Number(ownVotes) >= badgeNumbers.otherVotes,
        result: closed_at === null || held > 0 ? null : [first ?? 0, second ?? 0],
      },
    ]),
  );
}
