import { Model } from 'objection';
import type { BadgeKey } from './badges.contract.ts';
import type { EarnedBadge } from '#api/members/profile/profile.contract.ts';

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
