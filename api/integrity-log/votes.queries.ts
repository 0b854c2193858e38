import type { Database } from '#platform/database.ts';
import { sha256, sha256Into } from './signing.ts';

/** A vote for the log; `device` is the digest of its device, 32 hexadecimal digits. */
export interface CollectedVote {
  readonly id: number;
  readonly ballotKey: number;
  readonly optionKey: number;
  readonly device: string;
}

interface VoteRow {
  readonly id: number;
  readonly ballot_key: number;
  readonly option_key: number;
  readonly device: Buffer | string;
  readonly decision_key: number | null;
}

export async function collectVotes(
  db: Database,
  afterId: number,
  most: number,
): Promise<{ throughId: number; votes: CollectedVote[] }> {
  const rows = await db('votes')
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(most)
    .select<VoteRow[]>('id', 'ballot_key', 'option_key', 'device');
  const votes = rows.map((row) => ({
    ...{ id: row.id, ballotKey: row.ballot_key, optionKey: row.option_key },
    device: digitsOf(row.device),
  }));
  return { throughId: votes.at(-1)?.id ?? afterId, votes };
}

const digitsOf = (device: Buffer | string): string =>
  typeof device === 'string' ? device.replaceAll('-', '') : device.toString('hex');

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
): AsyncGenerator<(CollectedVote & { readonly decisionKey: number | null })[]> {
  let width = searchedIds.first;
  for (let from = afterId; from < lastId;) {
    const to = Math.min(from + width, lastId);
    // No index has the ballot first, and on PostgreSQL none has single ids.
    const rows = await db('votes')
      .where('id', '>', from)
      .where('id', '<=', to)
      .where({ ballot_key: ballotKey })
      .orderBy('id')
      .select<VoteRow[]>('id', 'ballot_key', 'option_key', 'device', 'decision_key');
    yield rows.map((row) => ({
      ...{ id: row.id, ballotKey, optionKey: row.option_key, decisionKey: row.decision_key },
      device: digitsOf(row.device),
    }));
    if (rows.length < foundVotes.few) width = Math.min(2 * width, searchedIds.most);
    else if (rows.length > foundVotes.many) width = Math.max(Math.floor(width / 2), foundVotes.many);
    from = to;
  }
}

export async function receiptsOf(db: Database, ballotKey: number): Promise<((device: string) => Buffer) | null> {
  const row = await db('ballot_secrets')
    .where({ ballot_key: ballotKey })
    .first<{ secret: string } | undefined>('secret');
  if (row === undefined) return null;
  const key = Buffer.from(row.secret, 'base64');
  const prefix = Buffer.from('weathervane/receipt/v1\0');
  const inner = Buffer.alloc(64 + prefix.length + 16, 0x36);
  const outer = Buffer.alloc(64 + 32, 0x5c);
  for (const [i, byte] of key.entries()) {
    inner[i] = byte ^ 0x36;
    outer[i] = byte ^ 0x5c;
  }
  prefix.copy(inner, 64);
  return (device) => {
    inner.write(device, 64 + prefix.length, 'hex');
    sha256Into(inner, outer, 64);
    return sha256(outer).subarray(0, 16) as Buffer;
  };
}
