import { Model } from 'objection';
import type { Provenance } from '#api/polls/polls.contract.ts';
import { BallotModel } from '#api/voting/ballot.model.ts';

/** A row of `polls`: the texts of a weekly poll. Its votes and times are in `ballot`. */
export class PollModel extends Model {
  static override tableName = 'polls';
  static override jsonAttributes = ['tags', 'country_breakdown', 'provenance'];

  declare id: string;
  declare question: string;
  declare description: string;
  declare tags: string[];
  /** The name of the series whose waves ask this question again. */
  declare series: string | null;
  /** What the operator says about this wave of the series. */
  declare series_note: string | null;
  declare author: string | null;
  declare summary: string | null;
  declare analysis: string | null;
  declare methodology_notes: string | null;
  declare country_breakdown: { name: string; percentage: number }[];
  /** Of imported answers; empty if nothing is stated. */
  declare provenance: Provenance;
  /** Part of the demonstration data. */
  declare demonstration: boolean | 0 | 1;
  declare created_at: number;
  declare updated_at: number;
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
