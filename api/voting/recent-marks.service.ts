import { setImmediate } from 'node:timers/promises';
import { slotMinutes } from '#domain/integrity/marks.ts';
import type { Mark } from '#domain/integrity/marks.ts';
import { accountAgeMask, cookieTrait, establishedTrait } from '#domain/integrity/vote-traits.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { countsFurther, readFurther } from './choices.model.ts';
import { clusterSearch } from './clusters.queries.ts';
import { votesWithin } from './vote-ranges.queries.ts';
import type { IdRange } from './vote-ranges.queries.ts';
import { isCounted, newestVoteId } from './voting.service.ts';

/** Ids that one query covers: its rows block the event loop for a few milliseconds. */
export const idsPerQuery = 5_000;

const dayMs = 86_400_000;

interface MarkRow extends Omit<Mark, 'further'> {
  readonly ballot_key: number;
  readonly further_options: string | null;
}

/**
 * Votes cast here since a moment, counted by ballot, time, network, traits, and options. Reads no more than about the newest
 * `most` votes, by their ids. Votes whose network is erased or unknown are left out.
 */
export async function recentMarks(
  db: Database,
  { since, most }: { readonly since: number; readonly most: number },
): Promise<ReadonlyMap<number, readonly Mark[]>> {
  const newest = await newestVoteId(db);
  const ids = { after: Math.max(0, newest - most), through: newest };
  return readMarks(db, ids, (votes) => votes.where('created_at', '>=', since));
}

/** Networks that one query can name. */
const networksPerQuery = 30_000;

/** The votes of these networks on a ballot since it opened, in the same way. */
export async function marksOfNetworks(
  db: Database,
  ballotKey: number,
  networks: ReadonlySet<number>,
): Promise<readonly Mark[]> {
  const ids = await clusterSearch(db, ballotKey);
  const wanted = [...networks].slice(0, networksPerQuery);
  const byBallot = await readMarks(db, ids, (votes) =>
    votes.where({ ballot_key: ballotKey }).whereIn('network', wanted),
  );
  return byBallot.get(ballotKey) ?? [];
}

/** On how many other polls of the operator a browser must have voted to be known. */
const knownFrom = 2;

/**
 * On how many days before the day of the vote (in UTC) a member voted, commented, or created a poll, to be established. A
 * confirmed address counts as one of them.
 */
const establishedFrom = 3;

/**
 * The traits of a vote of `votes`, with {@link cookieTrait} only where the browser is known: its cookie is a day older than
 * the vote, older than the poll, and voted on polls of the operator, on which an attacker can’t let cookies be made unseen.
 * With {@link establishedTrait} where the account is established by what it did, unless it was registered in a crowd.
 */
function traitsOf(db: Database): string {
  // The digest of a cookie begins with the time at which it was made, in seconds.
  const made = isSqlite(db) ? 'hex(substr(votes.cookie, 1, 4))' : 'upper(left(votes.cookie::text, 8))';
  const dayBefore = `(votes.created_at - ${dayMs})`;
  const digits = (seconds: string) =>
    isSqlite(db) ? `printf('%08X', ${seconds})` : `upper(lpad(to_hex(${seconds}), 8, '0'))`;
  const isOlder = `${made} < ${digits(`${dayBefore} / 1000`)}
    and ${made} < (select ${digits('b.starts_at / 1000')} from ballots b where b.key = votes.ballot_key)`;
  const others = `select 1 from votes o join ballots p on p.key = o.ballot_key and p.kind = 'poll'
    where o.cookie = votes.cookie and o.ballot_key <> votes.ballot_key limit ${knownFrom}`;
  const isKnown = `votes.traits & ${cookieTrait} <> 0 and ${isOlder} and (select count(*) from (${others}) k) = ${knownFrom}`;
  const days = `select distinct e.at / ${dayMs} from events e
    where e.member_id = u.id and e.type in ('vote.cast', 'comment.posted', 'poll.created')
      and e.at / ${dayMs} < votes.created_at / ${dayMs} limit ${establishedFrom}`;
  const confirmed = 'case when u.email_confirmed_at < votes.created_at then 1 else 0 end';
  const isEstablished = `votes.traits & ${accountAgeMask} <> 0 and exists (select 1 from users u where u.id = votes.user_id
    and not u.registered_in_crowd and (select count(*) from (${days}) d) + ${confirmed} >= ${establishedFrom})`;
  return `(votes.traits - (votes.traits & ${cookieTrait}) + case when ${isKnown} then ${cookieTrait} else 0 end
    + case when ${isEstablished} then ${establishedTrait} else 0 end)`;
}

async function readMarks(
  db: Database,
  ids: IdRange,
  narrow: (votes: ReturnType<typeof votesWithin>) => ReturnType<typeof votesWithin>,
): Promise<ReadonlyMap<number, readonly Mark[]>> {
  const byBallot = new Map<number, Mark[]>();
  const slotMs = slotMinutes * 60_000;
  const traits = traitsOf(db);
  for (let { after } = ids; after < ids.through; after += idsPerQuery) {
    const rows = await narrow(votesWithin(db, { after, through: Math.min(ids.through, after + idsPerQuery) }))
      .whereNotNull('network')
      .whereNotNull('traits')
      // By their places in the list below.
      .groupByRaw('1, 2, 3, 4, 5, 6')
      .select<MarkRow[]>(
        ...['ballot_key', 'network', 'option_key as option'],
        db.raw(`${traits} as traits`),
        db.raw(`created_at / ${slotMs} * ${slotMinutes} as minute`),
        db.raw(`case when ${countsFurther} then further_options end as further_options`),
        db.raw('count(*) as votes'),
        db.raw(`sum(case when ${isCounted()} then 1 else 0 end) as counted`),
      );
    for (const { ballot_key: key, further_options: further, ...row } of rows) {
      const mark = further === null ? row : { ...row, further: readFurther(further) };
      const marks = byBallot.get(key);
      if (marks) marks.push(mark);
      else byBallot.set(key, [mark]);
    }
    // Votes go first.
    await setImmediate();
  }
  return byBallot;
}
