import type { SiteBuild } from '#api/publishing/publishing.contract.ts';

/** An entry of the list of publishes. */
export interface PublishEntry extends Pick<SiteBuild, 'id' | 'about' | 'reason' | 'error' | 'isUnchanged'> {
  /** When it was over (ISO 8601). */
  readonly at: string;
  readonly milliseconds: number;
  /** How often in a row it failed like this. */
  readonly failures: number;
}

/** Finished publishes, newest first. Repeated failures are one entry. */
export function publishEntries(builds: readonly SiteBuild[]): PublishEntry[] {
  const entries: PublishEntry[] = [];
  for (const { id, about, reason, error, isUnchanged, status, startedAt, finishedAt } of builds) {
    if (finishedAt === null) continue;
    const later = entries.at(-1);
    if (later && error !== null && later.error === error) {
      entries[entries.length - 1] = { ...later, failures: later.failures + 1 };
      continue;
    }
    const milliseconds = Date.parse(finishedAt) - Date.parse(startedAt);
    const failures = status === 'failed' ? 1 : 0;
    entries.push({ id, about, reason, error, isUnchanged, at: finishedAt, milliseconds, failures });
  }
  return entries;
}
