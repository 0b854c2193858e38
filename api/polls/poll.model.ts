import { rowModel } from '#platform/row-model.ts';
import { Model } from 'objection';
import type { Provenance } from '#api/polls/polls.contract.ts';
import { BallotModel } from '#api/voting/ballot.model.ts';

/** A row of `polls`: the texts of a weekly poll. Its votes and times are in `ballot`. */
export class PollModel extends rowModel<
  'polls',
  { tags: string[]; country_breakdown: { name: string; percentage: number }[]; provenance: Provenance }
>() {
  static override tableName = 'polls';
  static override jsonAttributes = ['tags', 'country_breakdown', 'provenance'];

  /** The ballot of a weekly poll always has an end. */
  declare ballot: BallotModel & { ends_at: number };

  static override relationMappings = () => ({
    ballot: {
      relation: Model.BelongsToOneRelation,
      modelClass: BallotModel,
      join: { from: 'polls.id', to: 'ballots.id' },
    },
  });
}
