import { hash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { deviceIdHeader } from '#contract/vocabulary.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { HttpError } from '#platform/errors.ts';
import { silentLogger } from '#platform/logger.ts';
import { decideFlag, flaggedVotes } from '#api/integrity/flags.service.ts';
import { scorePolls } from '#api/integrity/scoring.service.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { Recipe } from './adaptive.ts';

/** What an attacker does, minute by minute. */
export interface Attack {
  readonly name: string;
  readonly perMinute: number;
  readonly minutes: number;
  /** The address of the vote at this place. */
  readonly address: (place: number) => string;
  /** Whether it solves challenges, as if they cost nothing. */
  readonly solves: boolean;
  /** What the vote at this place is for; by default all are for "o2". */
  readonly option?: (place: number) => string;
  /**
   * What each vote comes with: an account that was registered just before or eight days earlier, or the cookie of a vote on a
   * poll of the attacker’s own that day; from the same address.
   */
  readonly brings?: 'new-account' | 'old-account' | 'cookie';
  /** Its votes that may count after the review: one per network where several vote unlike everybody else, or all. */
  readonly most?: number;
}

/** What became of it. */
export interface AttackResult {
  readonly registered: number;
  readonly recorded: number;
  /** Neither held nor set aside by then, and once the operator has set aside everything that is flagged. */
  readonly counted: number;
  readonly reviewed: number;
  /** Those in the independent figure, null where nothing was flagged. */
  readonly independent: number | null;
}

/** A number below 100 that follows no pattern. */
const hashed = (place: number) => hash('sha256', `${place}`, 'buffer').readUInt16BE() % 100;
/** An address of its own for each place, each in a /24 of its own. */
const ownAddress = (place: number) => `10.${Math.floor(place / 200)}.${place % 200}.1`;
const botnet = (place: number) => `198.18.${place % 200}.1`;

const choiceOf = (shares: readonly [number, number, number], place: number) =>
  hashed(place) < shares[0] ? 'o1' : hashed(place) < shares[0] + shares[1] ? 'o2' : 'o3';

/** From requests of one address to solved challenges from many networks, and two honest crowds. */
export const attacks: readonly Attack[] = [
  {
    name: 'one address, a new device each',
    ...{ perMinute: 18, minutes: 120, address: () => '203.0.113.9', solves: false, most: 1 },
  },
  {
    name: 'the same, with solved challenges',
    ...{ perMinute: 6, minutes: 30, address: () => '203.0.113.9', solves: true, most: 1 },
  },
  {
    name: 'all addresses of one /24',
    ...{ perMinute: 60, minutes: 60, address: (place: number) => `203.0.113.${place % 250}`, solves: false, most: 1 },
  },
  {
    name: 'one /24 that mixes its choices, with solved challenges',
    ...{ perMinute: 6, minutes: 30, address: (place: number) => `203.0.113.${place % 250}` },
    ...{ solves: true, option: (place: number) => ['o1', 'o2', 'o3'][place % 3]! },
  },
  {
    name: '100 networks, three votes each, with solved challenges',
    ...{ perMinute: 10, minutes: 30, address: (place: number) => `198.18.${place % 100}.1`, solves: true, most: 100 },
  },
  {
    name: '200 networks, one vote each, with solved challenges',
    ...{ perMinute: 5, minutes: 40, solves: true, most: 200 },
    address: ownAddress,
  },
  {
    name: 'fresh accounts from one /48, with solved challenges',
    ...{ perMinute: 5, minutes: 60, solves: true, brings: 'new-account', most: 1 },
    address: (place: number) => `2001:db8:1:${(place % 200).toString(16)}::1`,
  },
  {
    name: 'fresh accounts from 100 networks, with solved challenges',
    ...{ perMinute: 5, minutes: 40, solves: true, brings: 'new-account', most: 100 },
    address: (place: number) => `198.18.${place % 100}.1`,
  },
  {
    name: '200 addresses, six votes each, 88/8/4',
    ...{ perMinute: 60, minutes: 20, address: botnet, solves: true, most: 200 },
    option: (place: number) => choiceOf([8, 88, 4], place),
  },
  {
    name: '200 addresses, six votes each, the first for another option',
    ...{ perMinute: 60, minutes: 20, address: botnet, solves: true, most: 200 },
    option: (place: number) => (place < 200 ? 'o1' : 'o2'),
  },
  {
    name: '19 addresses, 59 votes each',
    ...{ perMinute: 1_121, minutes: 1, address: (place: number) => `198.18.${place % 19}.1`, solves: false, most: 19 },
  },
  {
    name: '200 addresses, five votes each with cookies collected the day before',
    ...{ perMinute: 60, minutes: 17, address: botnet, solves: true, brings: 'cookie', most: 200 },
  },
  {
    name: 'one address, accounts of eight days',
    ...{ perMinute: 200, minutes: 1, address: () => '203.0.113.9', solves: false, brings: 'old-account', most: 1 },
  },
  {
    name: '(honest) 2,000 people of 1,800 addresses, 50/30/20',
    ...{ perMinute: 667, minutes: 3, solves: false },
    address: (place: number) => ownAddress(place % 1_800),
    option: (place: number) => choiceOf([50, 30, 20], place),
  },
  {
    name: '(honest) 2,000 people, 60% of them in 60 shared /24, 92/5/3',
    ...{ perMinute: 667, minutes: 3, solves: false },
    address: (place: number) => (place % 5 < 3 ? `198.18.${place % 60}.${place % 251}` : ownAddress(place)),
    option: (place: number) => choiceOf([92, 5, 3], place),
  },
];

/** A recipe of the adaptive attacker, network by network; the limits of the API apply. */
export function attackOf(recipe: Recipe): Attack {
  const { networks, cover, votes, share, split, oneSubnet } = recipe;
  const many = networks - cover;
  const all = cover + many * votes;
  let { minutes } = recipe;
  while (all % minutes > 0) minutes -= 1;
  const chooses = (network: number, round: number) => {
    const place = split ? network : network * votes + round;
    return Math.floor((place + 1) * share) > Math.floor(place * share) ? 'o2' : place % 2 === 0 ? 'o1' : 'o3';
  };
  return {
    name: `${many} addresses, ${votes} votes each, ${Math.round(share * 100)}%${cover > 0 ? `, and ${cover} with one` : ''}`,
    ...{ minutes, perMinute: all / minutes, solves: true },
    address: (place) => {
      const network = place < cover ? place : cover + ((place - cover) % many);
      return oneSubnet ? `198.18.0.${network}` : `198.18.${network}.1`;
    },
    option: (place) => (place < cover ? 'o2' : chooses((place - cover) % many, Math.floor((place - cover) / many))),
    ...(recipe.cookies && { brings: 'cookie' as const }),
    ...(recipe.accounts && { brings: 'old-account' as const }),
  };
}

/** Votes of people before the attack, from networks of their own. */
const people = 150;
/** Milliseconds after which the API has noticed that a poll needs challenges. */
const noticedMs = 2_100;
const atOnce = 20;

/**
 * Runs an attack against the API with its default limits on an empty database. Time is simulated: each minute of the attack
 * ends with a run of the detector.
 */
export async function runAttack(db: Database, attack: Attack): Promise<AttackResult> {
  await seedPolls(db, [{ id: 'poll' }, { id: 'bait' }]);
  const dayMs = 86_400_000;
  const clock = fixedClock(testNow - 9 * dayMs);
  const app = await startTestApp(db, { clock, config: { rateLimit: true } });
  if (attack.solves) await db('ballots').update({ challenge: 'off' });
  let [registered, recorded] = [0, 0];

  const post = (path: string, address: string, headers: Record<string, string>, body: object) =>
    app.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
      body: JSON.stringify(body),
    });
  /** Registers an account; the cookies of its session, or none where a limit refuses it. */
  const register = async (address: string) => {
    const username = `u${randomUUID().replaceAll('-', '').slice(0, 19)}`;
    const response = await post('/api/register', address, {}, { username, password: randomUUID() });
    if (response.status === 201) registered += 1;
    return response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  };
  const device = () => `device_${randomUUID().replaceAll('-', '')}`;
  /** The voter cookie of a vote on another poll. */
  const collect = async (address: string) => {
    const response = await post('/api/polls/bait/vote', address, { [deviceIdHeader]: device() }, { optionId: 'o1' });
    return response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  };
  const { brings, address, option = () => 'o2' } = attack;
  const prepared: string[] = [];
  const vote = async (from: string, optionId: string, cookie = '') => {
    const headers = { [deviceIdHeader]: device(), ...(cookie && { cookie }) };
    return (await post('/api/polls/poll/vote', from, headers, { optionId })).status === 200;
  };
  const cast = async (place: number) => {
    const from = address(place);
    const cookie = brings === 'new-account' ? (await register(from)).join('; ') : prepared[place];
    return vote(from, option(place), cookie);
  };

  if (brings === 'cookie') clock.set(testNow - 2 * dayMs);
  if (brings === 'cookie' || brings === 'old-account')
    for (let place = 0; place < attack.perMinute * attack.minutes; place += 1) {
      // As fast as the limits let it.
      if (place > 0 && place % 90 === 0) clock.set(clock.now() + 3_600_000);
      prepared.push((await (brings === 'cookie' ? collect : register)(address(place))).join('; '));
    }
  clock.set(testNow - dayMs);
  for (let voter = 0; voter < people; voter += 1) {
    clock.set(clock.now() + 60_000);
    await vote(`192.${voter}.0.1`, ['o1', 'o1', 'o1', 'o1', 'o1', 'o2', 'o2', 'o2', 'o3', 'o3'][voter % 10]!);
  }

  const context = { db, clock, intake: { runExclusive: <T>(work: () => Promise<T>) => work() }, log: silentLogger };
  let challenged = false;
  for (let place = 0, minute = 0; minute < attack.minutes; minute += 1) {
    for (const end = place + attack.perMinute; place < end;) {
      const some = Array.from({ length: Math.min(atOnce, end - place) }, () => place++);
      recorded += (await Promise.all(some.map(cast))).filter(Boolean).length;
    }
    clock.set(clock.now() + 60_000);
    await scorePolls(context);
    if (!challenged && (await db('ballots').whereNotNull('challenged_until').first('id'))) {
      challenged = true;
      await pause(noticedMs);
    }
  }
  clock.set(clock.now() + 30 * 60_000);
  await scorePolls(context);
  const countedVotes = async () => (await db('ballots').where({ id: 'poll' }).pluck('total_votes'))[0]! - people;
  const counted = await countedVotes();
  for (const { id } of (await flaggedVotes({ ...context, protections: [] }, 'poll')).flags)
    // What is held already is not counted again.
    await decideFlag(context, 'poll', { actor: 'operator' }, { flag: id, note: '', action: 'set-aside' }).catch(
      (error: unknown) => {
        if (!(error instanceof HttpError)) throw error;
      },
    );
  const reviewed = await countedVotes();
  await scorePolls(context);
  const figure = await db('independent_votes').first('votes');
  const independent = figure && Object.values(JSON.parse(figure.votes) as Record<string, number>);
  await app.close();
  return {
    ...{ registered, recorded, counted, reviewed },
    independent: independent ? independent.reduce((sum, votes) => sum + votes, -people) : null,
  };
}
