import { Model } from 'objection';
import type { BuildStep } from '#contract/publishing.ts';

/** What a running job is doing, stored as JSON. */
export interface JobProgress {
  readonly step?: BuildStep;
  readonly done?: number;
  readonly total?: number;
}

/** A row of `build_jobs`: a publish that is running or over; times in milliseconds. */
export class BuildJob extends Model {
  static override tableName = 'build_jobs';
  static override jsonAttributes = ['progress'];

  declare id: number;
  declare status: 'running' | 'succeeded' | 'failed';
  declare reason: string;
  declare started_at: number;
  declare finished_at: number | null;
  declare heartbeat_at: number | null;
  declare runner: string | null;
  declare progress: JobProgress;
  declare error: string | null;
  declare release_id: string | null;
}
