import { record } from '#api/events/record.service.ts';
import type { Actor } from '#api/events/events.ts';
import type { Database } from '#platform/database.ts';

/** Whether votes on a ballot need a challenge: `auto` while the detector says so. */
export const challengeSwitches = ['auto', 'on', 'off'] as const;
export type ChallengeSwitch = (typeof challengeSwitches)[number];

/** What votes on a ballot need besides a browser. */
export interface Guard {
  /** The rank of its protection. */
  readonly protection: number;
  /** Until when the detector or the operator requires challenges, in milliseconds. */
  readonly challengedUntil: number;
}

/** The open ballots whose votes need more than a browser. */
export async function guardedBallots(db: Database): Promise<ReadonlyMap<string, Guard>> {
  const challenged = await challengedBallots(db);
  const rows = await db('ballots').where('protection', '>', 0).whereNull('closed_at').select('id', 'protection');
  const protection = new Map(rows.map((row) => [row.id, row.protection]));
  const ids = new Set([...challenged.keys(), ...protection.keys()]);
  return new Map(
    [...ids].map((id) => [
      id,
      { protection: protection.get(id) ?? 0, challengedUntil: challenged.get(id) ?? -Infinity },
    ]),
  );
}

/** The open ballots that need a challenge, and until when, in milliseconds. */
async function challengedBallots(db: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await db('ballots')
    .whereRaw("(challenge = 'on' or challenged_until is not null) and closed_at is null")
    .select<{ id: string; challenge: ChallengeSwitch; challenged_until: number | null }[]>(
      ...['id', 'challenge', 'challenged_until'],
    );
  return new Map(
    rows
      .filter(({ challenge }) => challenge !== 'off')
      .map((row) => [row.id, row.challenge === 'on' ? Infinity : (row.challenged_until ?? 0)]),
  );
}

/** Requires challenges until a moment, in milliseconds, where the switch says `auto`; false if that changes nothing. */
export async function challengeUntil(db: Database, ballotId: string, until: number): Promise<boolean> {
  const changed = await db('ballots')
    .where({ id: ballotId, challenge: 'auto' })
    .where((earlier) => void earlier.whereNull('challenged_until').orWhere('challenged_until', '<', until))
    .update({ challenged_until: until });
  return changed > 0;
}

/** Sets a ballot’s switch, and records a change in the audit log; false if there is no such ballot. */
export async function switchChallenge(
  db: Database,
  ballotId: string,
  {
    challenge,
    operator,
    ...by
  }: {
    readonly challenge: ChallengeSwitch;
    readonly at: number;
    readonly actor: string;
    readonly operator: Actor;
    readonly note: string;
  },
): Promise<boolean> {
  return db.transaction(async (trx) => {
    const before = await trx('ballots').where({ id: ballotId }).first('challenge');
    const [changed] = await trx('ballots')
      .where({ id: ballotId })
      .whereNot({ challenge })
      .update({ challenge })
      .returning('key');
    if (changed === undefined) return (await trx('ballots').where({ id: ballotId }).first('id')) !== undefined;
    await trx('integrity_actions').insert({
      ...{ ...by, action: `challenge-${challenge}`, ballot_id: ballotId, ballot_key: changed.key },
    });
    await record(trx, {
      at: by.at,
      actor: operator,
      type: 'votes.challenge',
      subject: { kind: 'poll', id: ballotId },
      before,
      after: { challenge, note: by.note },
    });
    return true;
  });
}
