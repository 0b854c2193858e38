import type { Concerned } from '#api/events/events.ts';
import { mentionsIn } from '#domain/comment-text.ts';
import type { Database } from '#platform/database.ts';

/** A comment that is about to be posted or changed. */
interface Written {
  readonly pollId: string;
  readonly createdBy: string | null;
  readonly isPrivate: boolean;
  readonly userId: string;
  readonly content: string;
  /** The author of the comment that it answers. */
  readonly answers?: string | undefined;
}

/**
 * Whom to notify of a comment: members who can open the poll and have not blocked its author. None of them can delete the
 * account until the transaction ends, so call it before the poll is locked.
 */
export async function lockConcernedBy(trx: Database, written: Written): Promise<Concerned> {
  const { pollId, createdBy, isPrivate, userId, content, answers } = written;
  const mentions = await mentionedIn(trx, content);
  const found = trx('users as u')
    .whereIn(
      'u.id',
      [answers, createdBy, ...mentions].filter((id) => id != null),
    )
    .whereNot('u.id', userId)
    .whereNotExists(
      trx('member_blocks').whereRaw('blocker_id = u.id').where({ blocked_id: userId }).select(trx.raw('1')),
    );
  if (isPrivate)
    void found.where(
      (seeing) =>
        void seeing
          .where('u.id', createdBy)
          .orWhereExists(
            trx('community_poll_guests').whereRaw('user_id = u.id').where({ poll_id: pollId }).select(trx.raw('1')),
          ),
    );
  const members = await found.orderBy('u.id').forKeyShare().pluck<string[]>('u.id');
  const answered = members.filter((id) => id === answers);
  const mentioned = members.filter((id) => id !== answers && mentions.includes(id));
  const creator = members.filter((id) => id === createdBy && ![...answered, ...mentioned].includes(id));
  return { answered, mentioned, creator };
}

/** Ids of the members whom a comment mentions by username. */
export async function mentionedIn(db: Database, content: string): Promise<string[]> {
  const mentions = mentionsIn(content);
  if (mentions.length === 0) return [];
  const found = await db('users')
    .whereIn('username_key', [...new Set(mentions.flat())])
    .select('id', 'username_key');
  const ids = new Map(found.map(({ id, username_key }) => [username_key, id]));
  return [...new Set(mentions.flatMap((keys) => ids.get(keys.find((key) => ids.has(key)) ?? '') ?? []))];
}
