import { publishingTexts } from '#texts/publishing.ts';
import { keysKept } from './build-job.model.ts';
import type { JobSubject } from './build-job.model.ts';
import { priorities } from './changes.service.ts';
import type { ChangeRow } from './changes.service.ts';

/** What was published, for the list on the admin page. */
export function reasonOf(changes: readonly ChangeRow[]): string {
  const { kind, key, priority } = changes[0] ?? { kind: 'site', key: '', priority: priorities.now };
  if (kind === 'site') return key;
  if (priority === priorities.many) return publishingTexts.manyPolls;
  return publishingTexts.changed[kind](changes.filter((change) => change.kind === kind).map((change) => change.key));
}

/** What was published, in parts that the admin page puts into words. */
export function aboutOf(changes: readonly ChangeRow[]): JobSubject[] {
  // All pages include whatever else changed.
  const site = changes.filter(({ kind }) => kind === 'site');
  const shown = site.length > 0 ? site : changes;
  return [...Map.groupBy(shown, ({ kind, event }) => `${kind} ${event}`).values()].map((same) => {
    const keys = [...new Set(same.map(({ key }) => key))];
    const { kind, event = null } = same[0]!;
    return { kind, event, count: keys.length, keys: keys.slice(0, keysKept) };
  });
}
