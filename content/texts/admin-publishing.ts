import * as limits from '#contract/limits.ts';
import type { ChangeEvent, PublishedChange } from '#api/publishing/publishing.contract.ts';
import { buildStepTexts } from './publishing.ts';

const number = (value: number) => value.toLocaleString('en-US');
const counted = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;
const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const list = (names: readonly string[]) => new Intl.ListFormat('en-US').format(names);

const events = {
  created: 'created',
  imported: 'imported',
  restored: 'restored by undoing an import',
  edited: 'edited',
  opened: 'opened',
  closed: 'closed',
  reopened: 'reopened',
  rescheduled: 'rescheduled',
  recounted: 'counted differently after a decision about its votes',
  featured: 'featured',
  unfeatured: 'no longer featured',
  removed: 'removed',
} as const satisfies Record<ChangeEvent, string>;

/** Polls that have no page any more, or never had one for everyone. */
const unnamed = { poll: 'deleted', 'community poll': 'deleted or hidden' } as const;

/** “Tea or coffee?”, or that a poll is gone or hidden. */
function named(what: keyof typeof unnamed, { count, subjects }: PublishedChange): string {
  if (count > subjects.length) return counted(count, what, `${what}s`);
  const titles = subjects.flatMap(({ title }) => (title === null ? [] : [`“${title}”`]));
  const others = subjects.length - titles.length;
  return list([
    ...titles,
    ...(others === 0
      ? []
      : [others === 1 ? `a ${unnamed[what]} ${what}` : `${number(others)} ${unnamed[what]} ${what}s`]),
  ]);
}

function fileName(key: string, title: string | null): string {
  const [, folder, name] = /^content\/(blog|pages|legal)\/([\w-]+)\.md$/.exec(key) ?? [];
  if (folder === undefined) return key === '' ? 'articles and fixed pages' : key;
  return folder === 'blog' ? `article “${title ?? name!}”` : `page “${name!}”`;
}

/** What a publish changed, as a sentence without a period. */
function changed(change: PublishedChange): string {
  const { kind, event, count, subjects } = change;
  const first = subjects[0]?.key ?? '';
  const what = event === null ? 'changed' : events[event];
  switch (kind) {
    case 'poll':
    case 'report':
      return upperFirst(`${named('poll', change)} ${what}`);
    case 'community':
      return upperFirst(
        count > subjects.length || subjects.some(({ title }) => title === null)
          ? `${named('community poll', change)} ${what}`
          : `${count === 1 ? 'community poll' : 'community polls'} ${named('community poll', change)} ${what}`,
      );
    case 'related':
      return count > subjects.length
        ? `Related polls in ${number(count)} categories updated`
        : `Related polls in ${list(subjects.map(({ key }) => key))} updated`;
    case 'page':
      return count > subjects.length
        ? `${number(count)} pages updated`
        : `${list(subjects.map(({ key }) => key))} updated`;
    case 'content':
      if (first === '') return 'Articles and fixed pages checked';
      return count > subjects.length
        ? `${number(count)} articles and pages edited`
        : upperFirst(
            `${list(subjects.map(({ key, title }) => fileName(key, title)))} ${event === null ? 'edited' : what}`,
          );
    case 'site':
      return `All pages rendered: ${first}`;
  }
}

/** Publishing. */
export const publishTexts = {
  heading: 'Publish',
  text: 'Edits, imports, articles, and polls that open or close are published within a second. Readers see the old pages until the new ones are ready.',
  rebuild: 'Publish all again',
  queued: 'Changes are about to be published.',
  running: (what: string) => `Publishing: ${what}`,
  code: 'All pages are being rendered.',
  idle: 'The site is up to date.',
  never: 'Nothing has been published yet.',
  failed: 'The last publish failed; the old pages are still being served.',
  failedNext: (retry: string | null) =>
    `${retry === null ? 'It’s tried again automatically.' : `The next attempt is at ${retry}.`} Once the cause is fixed, press “Publish all again” to publish everything now.`,
  steps: buildStepTexts,
  progress: (done: number, total: number) => `${number(done)} of ${number(total)}`,
  list: 'Publishes, newest first',
  listHeading: 'Latest publishes',
  none: 'Nothing has been published yet.',
  /** What a publish is about, one sentence for each kind of change; `reason` where that is unknown. */
  about: (changes: readonly PublishedChange[], reason: string) =>
    changes.length === 0 ? [upperFirst(reason)] : changes.map(changed),
  listed: (sentences: readonly string[]) => sentences.join('; '),
  took: (milliseconds: number) => {
    if (milliseconds < 1_000) return `${number(milliseconds)} ms`;
    if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
    return `${Math.floor(milliseconds / 60_000)} min ${Math.floor((milliseconds % 60_000) / 1_000)} s`;
  },
  outcomes: { failed: 'Failed', unchanged: 'No page was different' },
  tries: (count: number) => `tried ${number(count)} times`,
  paused: (since: string) => `Publishing has been paused since ${since}. Only removals are published.`,
  waiting: (count: number) => `${counted(count, 'change waits', 'changes wait')}.`,
  pause: 'Pause publishing',
  resume: 'Resume publishing',
  /** Read aloud when a publish appears in the list. */
  announced: (what: string) => `Published: ${what}`,
} as const;

/** The audit, which compares published pages with what would be published now. */
export const auditTexts = {
  heading: 'Audit',
  never: 'No audit has run yet. Once a day, it renders every page again and compares it with the published one.',
  // Also feeds, sitemaps, and pictures, which the page count of a release leaves out.
  running: (start: string, files: number) =>
    `Running since ${start}: ${counted(files, 'file', 'files')} compared so far.`,
  done: (end: string, files: number) => `Last audit: ${end}. ${counted(files, 'file', 'files')} compared.`,
  nothing: 'No change was missed.',
  missed: (count: number) =>
    `${count < limits.auditMissedListed ? counted(count, 'file', 'files') : `${number(count)} or more files`} differed although no change was recorded. They have been published again.`,
  report: 'This is a fault of the software. Please pass on which files were affected:',
} as const;

/** Code builds. */
export const buildTexts = {
  heading: 'Builds',
  served: 'The pages are made with build',
  none: 'There is no earlier build to go back to.',
  text: 'If an update went wrong, a command goes back to an earlier build. Its pages are rendered from today’s data before readers see them.',
  list: 'Earlier builds, the last one first',
  until: 'Served until',
  command: (build: string) => `npm run build -- --use ${build}`,
} as const;

/** The dialog that confirms a pause. */
export const pauseTexts = {
  title: 'Pause publishing?',
  text: 'Readers will see the pages as they are now until you resume.',
  facts: [
    'Polls still open and close on time, and votes count. Their pages won’t show it yet.',
    'Removed polls and articles still disappear at once.',
  ],
  cancel: 'Cancel',
  confirm: 'Pause',
  done: { title: 'Publishing paused', text: 'Changes wait until you resume.' },
} as const;
