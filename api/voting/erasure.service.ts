import type { Database } from '#platform/database.ts';
import type { Clock } from '#platform/clock.ts';
import type { VotingIntake } from './group-commit.ts';
import { deleteOldSalts } from './network-digests.ts';
import { deleteAddresses, mixAddresses } from './used-addresses.service.ts';
import { nextRange, votesWithin } from './vote-ranges.queries.ts';
import type { IdRange } from './vote-ranges.queries.ts';
import { newestVoteId } from './voting.service.ts';

/** Milliseconds after the end of a poll for which networks, traits, and times of its votes are kept, and its secret. */
export const erasedAfterMs = 30 * 86_400_000;
/** Milliseconds between two checks for polls that ended so long ago. */
const betweenChecksMs = 3_600_000;
/** Votes that one transaction erases: votes on other ballots wait that long. */
export const erasedAtOnce = 500;
/** Ballots that one transaction marks. */
const markedAtOnce = 500;
const dayMs = 86_400_000;

/** The pass under way, the only row of `vote_erasures`. */
interface Pass {
  readonly id: number;
  readonly done_id: number;
  readonly last_id: number;
}

interface ErasureContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly intake: Pick<VotingIntake, 'runExclusive'>;
}

/**
 * Erases what is kept about votes until 30 days after the end of their poll: the secret, networks, and traits; of times, the
 * day (UTC) is left, and until then the minute. Each call does one batch; false when there is nothing to do. Interrupted anywhere, the next call
 * continues; several processes may call it.
 */
export function voteErasure(context: ErasureContext): () => Promise<boolean> {
  let checkedAt = -Infinity;
  return async () => {
    const now = context.clock.now();
    if (Math.abs(now - checkedAt) >= betweenChecksMs) {
      await beginErasing(context, now);
      checkedAt = now;
    }
    return eraseNextVotes(context);
  };
}

/** Deletes salts that are over, and marks the ballots that ended long ago; their secrets are deleted at once. */
async function beginErasing({ db, intake }: ErasureContext, now: number): Promise<void> {
  await intake.runExclusive(() => deleteOldSalts(db, now));
  await mixAddresses(db);
  // Another process may have counted votes while a ballot was marked.
  const erased = db('ballots').whereNotNull('erased_at').select('key');
  await intake.runExclusive(() => db('network_votes').whereIn('ballot_key', erased).del());
  await intake.runExclusive(() =>
    db('independent_votes').whereIn('ballot_key', erased).whereNotNull('flagged').update({ flagged: null }),
  );
  const due = () =>
    db('ballots')
      .whereNull('erased_at')
      .where('closed_at', '<=', now - erasedAfterMs)
      // Somebody still has to decide about them, or the hold has to expire.
      .where({ held_votes: 0 });
  while ((await due().first('id')) !== undefined)
    await intake.runExclusive(() =>
      db.transaction(async (trx) => {
        const ballots = await due()
          .transacting(trx)
          .orderBy('closed_at')
          .limit(markedAtOnce)
          .forUpdate()
          .select<{ key: number; recorded: boolean | 0 | 1 }[]>(
            'key',
            trx.raw('(total_votes + set_aside_votes > base_votes) as recorded'),
          );
        const keys = ballots.map(({ key }) => key);
        await trx('ballots').whereIn('key', keys).update({ erased_at: now });
        const voted = ballots.filter(({ recorded }) => recorded).map(({ key }) => key);
        const secrets = await trx('ballot_secrets').whereIn('ballot_key', keys).select('ballot_key', 'after_id');
        await trx('ballot_secrets').whereIn('ballot_key', keys).del();
        await trx('network_votes').whereIn('ballot_key', keys).del();
        await trx('write_ins').whereIn('ballot_key', keys).del();
        await trx('independent_votes').whereIn('ballot_key', keys).update({ flagged: null });
        await deleteAddresses(trx, keys);
        const firsts = new Map(secrets.map(({ ballot_key, after_id }) => [ballot_key, after_id]));
        if (voted.length > 0) await extendPass(trx, Math.min(...voted.map((key) => firsts.get(key) ?? 0)));
      }),
    );
}

/** Begins a pass over the votes with ids above `after`, or lets the one under way begin there again. */
async function extendPass(trx: Database, after: number): Promise<void> {
  await trx('vote_erasures')
    .insert({ id: 1, done_id: after, last_id: await newestVoteId(trx) })
    .onConflict('id')
    .merge({
      done_id: trx.raw(
        'case when excluded.done_id < vote_erasures.done_id then excluded.done_id else vote_erasures.done_id end',
      ),
      last_id: trx.raw('excluded.last_id'),
    });
}

const minuteMs = 60_000;
const isErased = 'ballot_key in (select key from ballots where erased_at is not null)';

/** Votes that still have something to erase; earlier releases stored the millisecond of a vote. */
const unerased = `(created_at % ${minuteMs} <> 0
  or (network is not null or traits is not null or nonce is not null or created_at % ${dayMs} <> 0) and ${isErased})`;

async function eraseNextVotes({ db, intake }: ErasureContext): Promise<boolean> {
  const pass = await db('vote_erasures').first<Pass | undefined>();
  if (!pass) return false;
  if (pass.done_id >= pass.last_id) {
    // With its positions: it may have been extended.
    await intake.runExclusive(() =>
      db('vote_erasures')
        .where({ ...pass })
        .del(),
    );
    return true;
  }
  const unerasedAmong = (on: Database, ids: IdRange) => votesWithin(on, ids).whereRaw(unerased);
  const all = { after: pass.done_id, through: pass.last_id };
  const ids = await nextRange(all, erasedAtOnce, (some) => unerasedAmong(db, some));
  await intake.runExclusive(() =>
    db.transaction(async (trx) => {
      // Another process may have been faster.
      const advanced = await trx('vote_erasures')
        .where({ ...pass })
        .update({ done_id: ids.through });
      if (advanced === 0 || ids.isEmpty) return;
      const roundedTo = (ms: number) => trx.raw(`created_at - created_at % ${ms}`);
      await unerasedAmong(trx, ids)
        .whereRaw(isErased)
        .update({ network: null, traits: null, nonce: null, created_at: roundedTo(dayMs) });
      await unerasedAmong(trx, ids).update({ created_at: roundedTo(minuteMs) });
    }),
  );
  return true;
}
