import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Poll, Statistics } from '#api/polls/polls.contract.ts';
import type { Member } from './people.ts';
import type { Random } from './random.ts';

/** A vote and the API’s responses, one or two: "200 o1", "409 ALREADY_VOTED o1". */
interface TrafficVote {
  readonly device: string;
  readonly pollId: string;
  readonly optionId: string;
  readonly outcomes: readonly string[];
}

/** What simulated visitors did and saw. */
export interface Traffic {
  readonly votes: readonly TrafficVote[];
  /** The duration of each read of results in milliseconds. */
  readonly reads: readonly number[];
  /** Results that decreased, or had fewer votes than were acknowledged before the request. */
  readonly complaints: readonly string[];
  /** The statuses of members’ reads of their own account; 0 if it was another member’s. */
  readonly statuses: readonly number[];
  /** The statuses of attempts to guess the first member’s password from one address. */
  readonly guesses: readonly number[];
  /** Resolves when all visitors have stopped. */
  stop(): Promise<void>;
}

interface TrafficOptions {
  /** A call to the site from a given or random address. */
  readonly send: (path: string, init?: RequestInit, from?: string) => Promise<Response>;
  readonly random: Random;
  /** The API services themselves. */
  readonly origins: readonly string[];
  readonly members: readonly Member[];
  /** The polls to vote on; the results of the first are watched. */
  readonly pollIds: readonly string[];
}

/** Starts four voters, two readers of results, the members, and one password guesser, until stopped. */
export function startTraffic({ send, random, origins, members, pollIds }: TrafficOptions): Traffic {
  const votes: TrafficVote[] = [];
  const reads: number[] = [];
  const complaints: string[] = [];
  const statuses: number[] = [];
  const guesses: number[] = [];
  const watched = pollIds[0] ?? '';
  let acknowledged = 0;
  let over = false;

  const cast = async (pollId: string, optionId: string, device: string) => {
    const answer = await send(`/api/polls/${pollId}/vote`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-device-id': device },
      body: JSON.stringify({ optionId }),
    });
    const { code = '', userVote = '' } = (await answer.json()) as { code?: string; userVote?: string };
    return [answer.status, code, userVote].filter((word) => word !== '').join(' ');
  };
  const vote = async () => {
    while (!over) {
      const device = `device_${randomUUID().replaceAll('-', '')}`;
      const pollId = random.pick(pollIds);
      const optionId = random.pick(['o1', 'o2', 'o3']);
      // Sometimes the same voter twice at once, on random services.
      const times = random.chance(0.1) ? 2 : 1;
      const outcomes = await Promise.all(Array.from({ length: times }, () => cast(pollId, optionId, device)));
      votes.push({ device, pollId, optionId, outcomes });
      if (pollId === watched && outcomes.some((one) => one.startsWith('200'))) acknowledged += 1;
      await pause(5);
    }
  };

  const watch = async (from?: string) => {
    let before: readonly number[] = [];
    while (!over) {
      const known = acknowledged;
      const begun = performance.now();
      const poll = (await (await send(`/api/polls/${watched}`, {}, from)).json()) as Poll;
      reads.push(performance.now() - begun);
      const { totalVotes } = (await (await send('/api/statistics', {}, from)).json()) as Statistics;
      const seen = [poll.totalVotes, ...poll.options.map((option) => option.votes), totalVotes];
      if (seen.some((count, place) => count < (before[place] ?? 0)))
        complaints.push(`${before.join()} became ${seen.join()}`);
      if (poll.totalVotes < known) complaints.push(`${poll.totalVotes} shown, ${known} acknowledged before`);
      before = seen;
      await pause(80);
    }
  };

  const stayIn = async (member: Member) => {
    while (!over) {
      const answer = await member.fetch('/api/user');
      const { id } = (await answer.json()) as { id?: string };
      statuses.push(id === member.user.id ? answer.status : 0);
      await pause(40);
    }
  };

  const guess = async () => {
    // Directly to the services, so that each sees the same address.
    while (!over) {
      const answer = await fetch(`${random.pick(origins)}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': '88.77.66.55' },
        body: JSON.stringify({ username: members[0]?.user.username, password: 'a wrong one' }),
      }).catch(() => null);
      if (answer) guesses.push(answer.status);
      await pause(150);
    }
  };

  const everybody = Promise.all([
    ...Array.from({ length: 4 }, vote),
    ...[watch('62.1.2.3'), watch(), ...members.map(stayIn), guess()],
  ]);
  // stop() rejects with the error.
  everybody.catch(() => undefined);
  return {
    ...{ votes, reads, complaints, statuses, guesses },
    async stop() {
      over = true;
      await everybody;
    },
  };
}
