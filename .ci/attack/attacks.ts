import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Challenge } from '#contract/challenge.ts';
import { challengeHeader, deviceIdHeader } from '#contract/vocabulary.ts';
import type { Detection } from '#domain/integrity/detector.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { scorePolls } from '#api/integrity/scoring.service.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';

/** What an attacker does, minute by minute. */
export interface Attack {
  readonly name: string;
  readonly perMinute: number;
  readonly minutes: number;
  /** The address of the vote at this place. */
  readonly address: (place: number) => string;
  /** Whether it solves challenges. */
  readonly solves: boolean;
  /** Whether it spreads its votes over all options. */
  readonly mixes?: boolean;
  /** Whether each vote comes with an account that was registered just before, from the same address. */
  readonly registers?: boolean;
}

/** What became of it. */
export interface AttackResult {
  readonly requests: number;
  readonly registered: number;
  /** Seconds of one core that its challenges cost. */
  readonly cpuSeconds: number;
  readonly recorded: number;
  readonly flagged: number;
  readonly counted: number;
}

/** From requests of one address to solved challenges from many networks. */
export const attacks: readonly Attack[] = [
  { name: 'one address, a new device each', perMinute: 18, minutes: 120, address: () => '203.0.113.9', solves: false },
  {
    name: 'the same, with solved challenges',
    ...{ perMinute: 6, minutes: 30, address: () => '203.0.113.9', solves: true },
  },
  {
    name: 'all addresses of one /24',
    ...{ perMinute: 60, minutes: 60, address: (place: number) => `203.0.113.${place % 250}`, solves: false },
  },
  {
    name: 'one /24 that mixes its choices, with solved challenges',
    ...{ perMinute: 6, minutes: 30, address: (place: number) => `203.0.113.${place % 250}` },
    ...{ solves: true, mixes: true },
  },
  {
    name: '100 networks, three votes each, with solved challenges',
    ...{ perMinute: 10, minutes: 30, address: (place: number) => `198.18.${place % 100}.1`, solves: true },
  },
  {
    name: '200 networks, one vote each, with solved challenges',
    ...{ perMinute: 5, minutes: 40, solves: true },
    address: (place: number) => `10.${Math.floor(place / 200)}.${place % 200}.1`,
  },
  {
    name: 'fresh accounts from one /48, with solved challenges',
    ...{ perMinute: 5, minutes: 60, solves: true, registers: true },
    address: (place: number) => `2001:db8:1:${(place % 200).toString(16)}::1`,
  },
  {
    name: 'fresh accounts from 100 networks, with solved challenges',
    ...{ perMinute: 5, minutes: 40, solves: true, registers: true },
    address: (place: number) => `198.18.${place % 100}.1`,
  },
];

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
  await seedPolls(db, [{ id: 'poll' }]);
  const clock = fixedClock(testNow - 86_400_000);
  const app = await startTestApp(db, { clock, config: { rateLimit: true } });
  const spent = { requests: 0, registered: 0, cpuMs: 0, recorded: 0 };

  const post = (path: string, address: string, headers: Record<string, string>, body: object) => {
    spent.requests += 1;
    return app.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
      body: JSON.stringify(body),
    });
  };
  /** Registers an account; the cookies of its session, or none where a limit refuses it. */
  const register = async (address: string) => {
    const username = `u${randomUUID().replaceAll('-', '').slice(0, 19)}`;
    const response = await post('/api/register', address, {}, { username, password: randomUUID() });
    if (response.status === 201) spent.registered += 1;
    return response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  };
  const cast = async (address: string, optionId: string, { solves, registers = false }: Partial<Attack>) => {
    const cookie = registers ? (await register(address)).join('; ') : '';
    const identity = { [deviceIdHeader]: `device_${randomUUID().replaceAll('-', '')}`, ...(cookie && { cookie }) };
    const send = async (solution?: string) => {
      const headers = { ...identity, ...(solution !== undefined && { [challengeHeader]: solution }) };
      const response = await post('/api/polls/poll/vote', address, headers, { optionId });
      return { status: response.status, ...((await response.json()) as { challenge?: Challenge }) };
    };
    let answer = await send();
    if (solves && answer.challenge) {
      const { challenge } = answer;
      const began = process.cpuUsage();
      const solution = await solveChallenge({ challenge, deriveKey });
      const { user } = process.cpuUsage(began);
      spent.cpuMs += user / 1_000;
      const solved = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
      answer = await send(solved);
    }
    return answer.status === 200;
  };

  for (let voter = 0; voter < people; voter += 1) {
    clock.set(clock.now() + 60_000);
    await cast(`192.${voter}.0.1`, ['o1', 'o1', 'o2', 'o3'][voter % 4]!, {});
  }
  Object.assign(spent, { requests: 0, cpuMs: 0 });

  const context = { db, clock, intake: { runExclusive: <T>(work: () => Promise<T>) => work() }, log: silentLogger };
  let challenged = false;
  for (let place = 0, minute = 0; minute < attack.minutes; minute += 1) {
    for (const end = place + attack.perMinute; place < end;) {
      // One after the other where they solve, so that the time of each can be told.
      const some = Array.from({ length: attack.solves ? 1 : Math.min(atOnce, end - place) }, () => place++);
      const option = (at: number) => (attack.mixes ? ['o1', 'o2', 'o3'][at % 3]! : 'o2');
      const done = await Promise.all(some.map((at) => cast(attack.address(at), option(at), attack)));
      spent.recorded += done.filter(Boolean).length;
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
  const stored = await db('integrity_scores').first<{ detection: string } | undefined>('detection');
  const { clusters } = stored ? (JSON.parse(stored.detection) as Detection) : { clusters: [] };
  const { total_votes: counted } = await db('ballots').where({ id: 'poll' }).first<{ total_votes: number }>();
  await app.close();
  return {
    ...{ requests: spent.requests, registered: spent.registered },
    ...{ cpuSeconds: spent.cpuMs / 1_000, recorded: spent.recorded },
    flagged: clusters.reduce((sum, { votes }) => sum + votes, 0),
    counted: counted - people,
  };
}
