import type { Database } from '#platform/database.ts';
import { isCounted, newestVoteId } from './voting.service.ts';
import { countsFurther, namesFurther } from './choices.model.ts';
import { votesWithin } from './vote-ranges.queries.ts';
import type { IdRange } from './vote-ranges.queries.ts';

/** Which votes of a ballot belong together; moments in milliseconds, `to` exclusive. What is left out matches all. */
export interface Cluster {
  /** Digests, as recorded with the votes. */
  readonly networks?: readonly number[];
  readonly optionId?: string;
  readonly from?: number;
  readonly to?: number;
  /** Votes whose traits are `value` in the bits of `mask`. */
  readonly traits?: { readonly mask: number; readonly value: number };
  /** What the detector or the operator found, for those who decide. */
  readonly evidence?: Readonly<Record<string, unknown>>;
}

/** Ids that one query looks at, going back from the newest. */
const searchedAtOnce = 20_000;
/** Milliseconds by which the time of an earlier id can be later: clocks of processes, and erased times are those of midnight. */
const disorderMs = 25 * 3_600_000;

/**
 * Ids among which all votes of a ballot since `from` are that exist now. No index has ballots or times: it would cost every
 * vote. Votes on a ballot follow its secret, and ids grow with time.
 */
export async function clusterSearch(db: Database, ballotKey: number, from?: number): Promise<IdRange> {
  const secret = await db('ballot_secrets').where({ ballot_key: ballotKey }).first('after_id');
  const first = secret?.after_id ?? 0;
  const through = await newestVoteId(db);
  if (from === undefined) return { after: first, through };
  for (let until = through; until > first; until -= searchedAtOnce) {
    const ids = { after: until - searchedAtOnce, through: until };
    const row = await votesWithin(db, ids).max('created_at as newest').first<{ newest: number | null }>();
    if (row.newest !== null && row.newest < from - disorderMs) return { after: Math.max(first, until), through };
  }
  return { after: first, through };
}

/** The counted votes of a cluster within these ids. */
export function matching(trx: Database, ballotKey: number, cluster: Cluster, ids: IdRange) {
  const { networks, optionId, from, to, traits } = cluster;
  const votes = votesWithin(trx, ids).where({ ballot_key: ballotKey }).whereRaw(isCounted());
  if (networks !== undefined) void votes.whereIn('network', [...networks]);
  if (optionId !== undefined) {
    const option = `(select key from ballot_options where option_id = ?
      and ballot_id = (select id from ballots where key = ?))`;
    void votes.whereRaw(`(option_key = ${option} or ${countsFurther} and ${namesFurther('votes', option)})`, [
      optionId,
      ballotKey,
      optionId,
      ballotKey,
    ]);
  }
  if (from !== undefined) void votes.where('created_at', '>=', from);
  if (to !== undefined) void votes.where('created_at', '<', to);
  if (traits !== undefined) void votes.whereRaw('traits & ? = ?', [traits.mask, traits.value]);
  return votes;
}
