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
  return merged(shown.map(({ kind, key, event = null }) => ({ kind, event, count: 1, keys: [key] })));
}

/** The same with one subject per kind and event. */
export function merged(subjects: readonly JobSubject[]): JobSubject[] {
  const same = Map.groupBy(subjects, ({ kind, event }) => `${kind} ${event}`);
  return [...same.values()].map((parts) => {
    const keys = [...new Set(parts.flatMap((part) => part.keys))];
    // Only the first keys are known of many.
    const isComplete = parts.every((part) => part.count === part.keys.length);
    const count = isComplete ? keys.length : parts.reduce((sum, part) => sum + part.count, 0);
    return { ...parts[0]!, count, keys: keys.slice(0, keysKept) };
  });
}
