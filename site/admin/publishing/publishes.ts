import type { Publishing, SiteBuild, SiteRelease } from '#contract/publishing.ts';

/** An entry of the list of publishes: one that made a release, failed, or found nothing different. */
export interface PublishEntry extends Pick<SiteBuild, 'about' | 'reason' | 'error'> {
  readonly key: string;
  /** When it was over (ISO 8601). */
  readonly at: string;
  readonly milliseconds: number;
  /** How often in a row it failed like this. */
  readonly failures: number;
  /** Null if it made none. */
  readonly release: SiteRelease | null;
}

/** Finished publishes and releases as one list, newest first. Repeated failures are one entry. */
export function publishEntries({ builds, releases }: Pick<Publishing, 'builds' | 'releases'>): PublishEntry[] {
  const released = releases.map((release): PublishEntry => {
    const failed = builds.find(({ status, releaseId }) => status === 'failed' && releaseId === release.id);
    const { id, createdAt, about, reason, milliseconds } = release;
    const error = failed?.error ?? null;
    return { key: id, at: createdAt, about, reason, milliseconds, error, failures: failed ? 1 : 0, release };
  });
  const entries: PublishEntry[] = [];
  for (const build of builds) {
    const { id, about, reason, error, startedAt, finishedAt } = build;
    if (finishedAt === null || build.releaseId !== null) continue;
    const failures = build.status === 'failed' ? 1 : 0;
    const later = entries.at(-1);
    if (later && error !== null && later.error === error) {
      entries[entries.length - 1] = { ...later, failures: later.failures + 1 };
      continue;
    }
    const milliseconds = Date.parse(finishedAt) - Date.parse(startedAt);
    entries.push({ key: `build ${id}`, at: finishedAt, about, reason, error, milliseconds, failures, release: null });
  }
  return [...released, ...entries].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}
