import { rowModel } from '#platform/row-model.ts';
import { Model } from 'objection';
import { randomBytes } from 'node:crypto';
import { UserModel } from '#api/members/accounts/user.model.ts';

/** A row of `comments`, on a community poll. Times in milliseconds. */
export class CommentModel extends rowModel<'comments'>() {
  static override tableName = 'comments';

  declare author: UserModel;

  static override relationMappings = () => ({
    author: {
      relation: Model.BelongsToOneRelation,
      modelClass: UserModel,
      join: { from: 'comments.user_id', to: 'users.id' },
    },
  });
}

const timeDigits = 9;
const sequenceDigits = 3;
const randomDigits = 16;
const wellFormed = new RegExp(`^[0-9a-z]{${timeDigits + sequenceDigits + randomDigits}}$`);

/**
 * Creates comment ids: the time in milliseconds, a sequence number, and 80 random bits, in base 36. Such an id sorts by
 * time, keeps its place in the list after its comment is deleted, and can't be guessed.
 */
export function commentIds(): (now: number) => string {
  let last = -1;
  let sequence = 0;
  return (now) => {
    sequence = now === last ? sequence + 1 : 0;
    last = now;
    const random = BigInt(`0x${randomBytes(10).toString('hex')}`);
    return now.toString(36).padStart(timeDigits, '0') + digits(sequence, sequenceDigits) + digits(random, randomDigits);
  };
}

/** The time in a comment id, in milliseconds; null for a malformed id. */
export function timeOfComment(id: string): number | null {
  return wellFormed.test(id) ? Number.parseInt(id.slice(0, timeDigits), 36) : null;
}

function digits(number: number | bigint, length: number): string {
  return number.toString(36).padStart(length, '0').slice(-length);
}
