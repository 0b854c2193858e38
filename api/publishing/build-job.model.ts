import { Model } from 'objection';
import type { BuildStep } from '#contract/publishing.ts';

/** The state of a queued or running job, stored as JSON. */
export interface JobProgress {
  /** Drop the incremental cache first. */
  readonly force?: boolean;
  /** The number of times its runner died. */
  readonly deaths?: number;
  readonly step?: BuildStep;
  readonly done?: number;
  readonly total?: number;
  /** The steps that have started, and when. */
  readonly log?: readonly { readonly step: BuildStep; readonly at: number; readonly total?: number }[];
}

/** A row of `build_jobs`: a build that is queued, running, or over; times in milliseconds. */
export class BuildJob extends Model {
  static override tableName = 'build_jobs';
  static override jsonAttributes = ['progress'];

  declare id: number;
  declare status: 'queued' | 'running' | 'succeeded' | 'failed';
  declare reason: string;
  declare requested_at: number;
  /** A job requested in the future is due as well: the clock has been set back since. */
  declare not_before: number;
  declare started_at: number | null;
  declare finished_at: number | null;
  declare heartbeat_at: number | null;
  declare runner: string | null;
  declare progress: JobProgress;
  declare error: string | null;
  declare release_id: string | null;
}
