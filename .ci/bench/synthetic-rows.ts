import { communityCategories } from '#contract/vocabulary.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';

/** SQL that differs between the databases, for statements that generate rows from numbers. */
interface SqlWords {
  /** A CTE `n` with the column `i` from `from` up to, but not including, `to`. */
  numbers(from: number, to: number): string;
  /** A number padded with zeros. */
  padded(number: string, width: number): string;
  /** A number below 2^32 as eight hexadecimal digits. */
  hex(number: string): string;
  /** 32 hexadecimal digits as a digest. */
  bytes(digits: string): string;
}

const sqlite: SqlWords = {
  numbers: (from, to) =>
    `with recursive n (i) as (select ${from} where ${from} < ${to} union all select i + 1 from n where i + 1 < ${to})`,
  padded: (number, width) => `printf('%0${width}d', ${number})`,
  hex: (number) => `printf('%08x', ${number})`,
  bytes: (digits) => `unhex(${digits})`,
};

const postgres: SqlWords = {
  numbers: (from, to) => `with n (i) as (select * from generate_series(${from}::bigint, ${to - 1}))`,
  padded: (number, width) => `lpad((${number})::text, ${width}, '0')`,
  hex: (number) => `lpad(to_hex(${number}), 8, '0')`,
  bytes: (digits) => `(${digits})::uuid`,
};

/** The SQL of a handle’s database. */
export function sqlWords(db: Database): SqlWords {
  return isSqlite(db) ? sqlite : postgres;
}

/** The amount of data. */
export interface Sizes {
  /** Four in five are weekly polls, all but the last twelve closed; every fifth is a community poll. */
  readonly polls: number;
  readonly votes: number;
  readonly users: number;
}

const day = 86_400_000;
/** The length of the history in milliseconds. */
const span = 3 * 365 * day;
/** The last polls, which include twelve open weekly polls. */
const lastPolls = 15;
/** Votes per device, one of which goes to the popular polls. */
const votesEach = 10;
/** The busiest member’s share of the votes and of the community polls: one in this number. */
const busiestShare = 100;
const busiestPolls = 20;

/** Fewer rows would lack what is measured, and a voter can’t have more votes than there are polls. */
export function fitTogether({ polls, votes, users }: Sizes): boolean {
  return polls >= 100 && users >= 10 && votes >= 1_000 && votes <= polls * busiestShare;
}

/** The roles of polls by number. */
export function dataPlan({ polls, votes, users }: Sizes) {
  const busiestVotes = Math.ceil(votes / busiestShare);
  const devices = Math.ceil((votes - busiestVotes) / votesEach);
  const popular = Math.max(lastPolls, Math.floor(polls / 1_000));
  /** An open weekly poll on which one device in ten votes. */
  const hottest = polls % 5 === 0 ? polls - 2 : polls - 1;
  return { polls, votes, users, busiestVotes, devices, popular, hottest, firstOpen: polls - lastPolls };
}
export type DataPlan = ReturnType<typeof dataPlan>;

export const pollId = (n: number) => `poll-${String(n).padStart(9, '0')}`;
export const memberId = (n: number) => `member-${String(n).padStart(7, '0')}`;
/** Member 0: has one vote in a hundred, and one community poll in twenty. */
export const busiest = memberId(0);

/** Odd multipliers below 2^32, which scatter consecutive numbers without collisions. */
const scatter = [2_654_435_761, 2_246_822_519, 3_266_489_917, 668_265_263, 374_761_393];
/** Digest-like digits from a number, the same on both databases. */
const digits = (words: SqlWords, number: string, multipliers: readonly number[]) =>
  multipliers.map((multiplier) => words.hex(`((${number}) + 1) * ${multiplier} % 4294967296`)).join(' || ');

/** The expressions for the vote, poll, or member number `i`. */
export function expressions(words: SqlWords, made: DataPlan, now: number) {
  const { polls, votes, users, busiestVotes, devices, popular, hottest, firstOpen } = made;
  const poll = (number: string) => `'poll-' || ${words.padded(number, 9)}`;
  const member = (number: string) => `'member-' || ${words.padded(number, 7)}`;
  const step = Math.floor(span / polls);
  const categories = communityCategories.map((name, n) => `when ${n} then '${name}'`).join(' ');
  const elsewhere = polls - popular;
  const voted = (number: string) => `${now} - (${votes} - ${number}) * ${Math.max(1, Math.floor(span / votes))}`;
  return {
    poll,
    member,
    /** The integer keys of a poll, and of its option in this place from 0. */
    pollKey: (number: string) => `${number} + 1`,
    optionKey: (number: string, place: string) => `4 * ${number} + ${place} + 1`,
    isWeekly: 'i % 5 <> 4',
    isClosed: `(case when i % 5 = 4 then i % 2 = 0 else i < ${firstOpen} end)`,
    visibility: "(case i / 5 % 10 when 8 then 'unlisted' when 9 then 'private' else 'public' end)",
    /** Half of all weekly polls have one category, the others 39. */
    category: `(case when i % 5 = 4 then case i / 5 % 16 ${categories} end
      when i % 2 = 0 then 'climate' else 'category-' || (i / 5 % 39) end)`,
    creator: `(case when i / 5 % ${busiestPolls} = 0 then '${busiest}'
      else ${member(`1 + i / 5 * 7919 % ${users - 1}`)} end)`,
    featured: 'i / 5 % 1000 = 0',
    /** When a poll was created and, if closed, closed. */
    made: `(case when i % 5 = 4 then ${now} - (${polls} - i) * ${step}
      when i < ${firstOpen} then ${now} - (${polls} - i) * ${step} - ${7 * day} else ${now - day} end)`,
    closed: `(case when i % 5 = 4 then ${now} - (${polls} - i) * ${step} + ${Math.ceil(step / 2)}
      else ${now} - (${polls} - i) * ${step} end)`,
    openUntil: now + 7 * day,
    baseVotes: (position: string) =>
      `(case when i % 5 <> 4 and i < ${firstOpen} then (i * 7 + ${position} * 13) % 97 * 11 else 0 end)`,
    /**
     * The votes as a table with the columns i, voter, and ballot: one in a hundred is the busiest member’s; every
     * device votes on nine arbitrary polls and then on a popular one, one device in ten on the hottest.
     */
    votes: `(
      select i, voter, case
        when voter = ${devices} then i / ${busiestShare} * ${Math.floor(polls / busiestVotes)}
        when turn > 0 then (voter * 7919 + turn * ${Math.floor(elsewhere / votesEach)}) % ${elsewhere}
        when voter % 10 = 0 then ${hottest}
        else ${polls - 1} - voter % ${popular} end as ballot
      from (
        select i, case when i % ${busiestShare} = 0 then ${devices} else (i - i / ${busiestShare} - 1) % ${devices} end as voter,
          ${votesEach - 1} - (i - i / ${busiestShare} - 1) / ${devices} as turn
        from n
      ) turns
    ) cast_votes`,
    /** The place of the chosen option. */
    choice:
      '(case when (voter * 31 + ballot * 17) % 10 < 5 then 0 when (voter * 31 + ballot * 17) % 10 < 8 then 1 else 2 end)',
    device: words.bytes(digits(words, 'voter', scatter.slice(0, 4))),
    /** Like the product's, it begins with the seconds of the voter's first vote. */
    cookie: `case when voter % 2 = 1
      then ${words.bytes(`${words.hex(`(${voted('voter')}) / 1000`)} || ${digits(words, 'voter', scatter.slice(2))}`)} end`,
    /** The user id: the busiest member, or one device in ten while there are members. */
    voterAccount: `case when voter = ${devices} then '${busiest}'
      when voter % 10 = 5 and voter / 10 + 1 < ${users} then ${member('voter / 10 + 1')} end`,
    voted: voted('i'),
  };
}
