import { Model } from 'objection';
import type { BadgeKey } from '#contract/badges.ts';
import type { EarnedBadge, UserExport } from '#contract/profile.ts';

/** An event of a member; unique by member, type (`fact`), and subject. Moments in milliseconds. */
export class EventModel extends Model {
  static override tableName = 'facts';
  static override jsonAttributes = ['details'];

  declare id: number;
  declare user_id: string;
  declare fact: string;
  declare subject: string;
  declare at: number;
  /** Set for events that are totals: a total can only be raised. */
  declare amount: number | null;
  /** The event's other fields. */
  declare details: UserExport['facts'][number]['details'];
  /** Whether it is projected. */
  declare counted: boolean | 0 | 1;
}

/** A badge that a member holds. */
export class BadgeModel extends Model {
  static override tableName = 'badges';
  static override jsonAttributes = ['metadata'];

  declare id: number;
  declare user_id: string;
  declare badge_type: BadgeKey;
  declare earned_at: number;
  declare metadata: EarnedBadge['metadata'];
  declare announced: boolean | 0 | 1;
}

/** What a member's projected events come to. */
export class ProgressModel extends Model {
  static override tableName = 'progress';
  static override idColumn = 'user_id';

  declare user_id: string;
  /** JSON; read with `readProgress`. */
  declare figures: string;
}

/** An account, with everything badges are made of. */
export class MemberModel extends Model {
  static override tableName = 'users';

  declare id: string;
  declare username: string;
  declare events: EventModel[];
  declare badges: BadgeModel[];
  declare progress: ProgressModel | null;

  static override relationMappings = () => ({
    events: {
      relation: Model.HasManyRelation,
      modelClass: EventModel,
      join: { from: 'users.id', to: 'facts.user_id' },
      modify: (events: ReturnType<typeof EventModel.query>) => events.orderBy(['at', 'id']),
    },
    badges: {
      relation: Model.HasManyRelation,
      modelClass: BadgeModel,
      join: { from: 'users.id', to: 'badges.user_id' },
      modify: (badges: ReturnType<typeof BadgeModel.query>) => badges.orderBy(['earned_at', 'id']),
    },
    progress: {
      relation: Model.HasOneRelation,
      modelClass: ProgressModel,
      join: { from: 'users.id', to: 'progress.user_id' },
    },
  });
}
