import { rowModel } from '#platform/row-model.ts';
import type { EarnedBadge } from '#api/members/profile/profile.contract.ts';

/** A badge that a member holds. */
export class BadgeModel extends rowModel<'badges', { metadata: EarnedBadge['metadata'] }>() {
  static override tableName = 'badges';
  static override jsonAttributes = ['metadata'];
}
