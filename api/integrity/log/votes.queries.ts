import { readFurther } from '#api/voting/choices.model.ts';
import type { Database } from '#platform/database.ts';

/** A vote in the log; `device`: the digest of its device, and `nonce`, 32 hexadecimal digits each. */
interface LoggedVote {
  readonly optionKeys: readonly number[];
  readonly device: string;
  readonly nonce: string | null;
  readonly decisionKey: number | null;
}

interface VoteRow {
  readonly option_key: number;
  readonly further_options: string | null;
  readonly device: Buffer | string;
  readonly nonce: Buffer | string | null;
  readonly decision_key: number | null;
}

const digitsOf = (bytes: Buffer | string): string =>
  typeof bytes === 'string' ? bytes.replaceAll('-', '') : bytes.toString('hex');

/** Ids that one statement searches for votes of a ballot, and the most if there are few. */
const searchedIds = { first: 20_000, most: 320_000 };
/** Votes of a window below which the next one is twice as wide, and above which half as wide. */
const foundVotes = { few: 1_000, many: 5_000 };

/** The votes of a ballot with ids above `afterId` up to `lastId` in the order of their ids, some thousand at a time. */
export async function* votesOfBallot(
  db: Database,
  ballotKey: number,
  afterId: number,
  lastId: number,
): AsyncGenerator<LoggedVote[]> {
  let width = searchedIds.first;
  for (let from = afterId; from < lastId;) {
    const to = Math.min(from + width, lastId);
    // No index has the ballot first, and on PostgreSQL none has single ids.
    const rows = await db('votes')
      .where('id', '>', from)
      .where('id', '<=', to)
      .where({ ballot_key: ballotKey })
      .orderBy('id')
      .select<VoteRow[]>('option_key', 'further_options', 'device', 'nonce', 'decision_key');
    yield rows.map((row) => ({
      ...{ optionKeys: [row.option_key, ...readFurther(row.further_options)], decisionKey: row.decision_key },
      ...{ device: digitsOf(row.device), nonce: row.nonce === null ? null : digitsOf(row.nonce) },
    }));
    if (rows.length < foundVotes.few) width = Math.min(2 * width, searchedIds.most);
    else if (rows.length > foundVotes.many) width = Math.max(Math.floor(width / 2), foundVotes.many);
    from = to;
  }
}
