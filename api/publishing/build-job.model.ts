import { Model } from 'objection';
import type { BuildStep, PublishedChange } from '#contract/publishing.ts';

/** What a running job is doing, stored as JSON. */
export interface JobProgress {
  readonly step?: BuildStep;
  readonly done?: number;
  readonly total?: number;
}

/** Keys that a job keeps of changes of one kind and event. */
export const keysKept = 3;

/** Changes of one kind and event: how many, and the keys of the first. */
export interface JobSubject extends Pick<PublishedChange, 'kind' | 'event' | 'count'> {
  readonly keys: readonly string[];
}

/** A row of `build_jobs`: a publish that is running or over; times in milliseconds. */
export class BuildJob extends Model {
  static override tableName = 'build_jobs';
  static override jsonAttributes = ['progress', 'about'];

  declare id: number;
  declare status: 'running' | 'succeeded' | 'failed';
  declare reason: string;
  declare about: readonly JobSubject[];
  declare started_at: number;
  declare finished_at: number | null;
  declare heartbeat_at: number | null;
  declare runner: string | null;
  declare progress: JobProgress;
  declare error: string | null;
  /** Files that it changed. */
  declare changed: number;
}
