import type { AuditRecord } from './audit.contract.ts';
import { imageAddress } from '#domain/image-address.ts';
import { cutText } from '#domain/poll-results.ts';
import type { Database } from '#platform/database.ts';
import { adminPages } from '#texts/admin-pages.ts';
import { checklistTexts } from '#texts/admin-checklist.ts';
import { sharedPasswordTexts } from '#texts/operators.ts';

/** Characters of a title. */
const titleLength = 120;

/** What an entry of the audit log is about: its name, and the path of a page that shows it; null: none. */
export type AuditSubject = Required<Pick<AuditRecord, 'title' | 'path'>>;
type Found = AuditSubject & { readonly id: string };
type Find = (db: Database, ids: readonly string[]) => Found[] | Promise<Found[]>;

const pollPath = (id: string) => `${adminPages.polls.path}?poll=${id}`;
const communityPath = (id: string) => `/community-polls/${id}`;
const settings = (anchor: string) => `${adminPages.settings.path}#${anchor}`;

/**
 * What private community polls contain is not for operators. Unlisted ones are named, as in Moderation: whoever knows their id can
 * open them, and an owner must be able to see what the operators decided about.
 */
const isNotPrivate = "coalesce(community_polls.taken_down_from, community_polls.visibility) <> 'private'";

const findCommunityPolls: Find = async (db, ids) => {
  const rows = await db('community_polls')
    .whereIn('id', [...ids])
    .whereRaw(isNotPrivate)
    .select('id', 'question');
  return rows.map(({ id, question }) => ({ id, title: question, path: communityPath(id) }));
};

/** Weekly polls, published or not, and community polls, which have the same kind in decisions about votes and reports. */
const findPolls: Find = async (db, ids) => {
  const found = await findCommunityPolls(db, ids);
  for (const table of ['poll_drafts', 'polls']) {
    const rows = await db(table)
      .whereIn('id', [...ids])
      .select<{ id: string; question: string }[]>('id', 'question');
    found.push(...rows.map(({ id, question }) => ({ id, title: question, path: pollPath(id) })));
  }
  return found;
};

const findComments: Find = async (db, ids) => {
  const rows = await db('comments')
    .join('community_polls', 'community_polls.id', 'comments.poll_id')
    .whereIn('comments.id', [...ids])
    .whereRaw(isNotPrivate)
    .select<{ id: string; content: string; poll_id: string }[]>('comments.id', 'comments.content', 'comments.poll_id');
  return rows.map(({ id, content, poll_id: pollId }) => ({ id, title: content, path: communityPath(pollId) }));
};

const findMembers: Find = async (db, ids) => {
  const rows = await db('users')
    .whereIn('id', [...ids])
    .select('id', 'username');
  return rows.map(({ id, username }) => ({
    ...{ id, title: username },
    path: `${adminPages.moderation.path}?name=${encodeURIComponent(username)}#members`,
  }));
};

/** The titles of articles and pages by keys such as `blog/on-ties`, which another feature knows. */
export type ContentTitles = (db: Database, keys: readonly string[]) => Promise<ReadonlyMap<string, string>>;

const findContent =
  (titles: ContentTitles): Find =>
  async (db, ids) =>
    [...(await titles(db, ids))].map(([id, title]) => ({ id, title, path: `${adminPages.content.path}?entry=${id}` }));

const findWebhooks: Find = async (db, ids) => {
  const rows = await db('webhooks')
    .whereIn('id', [...ids])
    .select('id', 'url');
  return rows.map(({ id, url }) => ({ id, title: new URL(url).host, path: settings('webhooks') }));
};

/** Finds what has no title of its own, such as a release, on its page. */
const findOn =
  (path: (id: string) => string, title: (id: string) => string | null = () => null): Find =>
  (_, ids) =>
    ids.map((id) => ({ id, title: title(id), path: path(id) }));

const steps: Readonly<Record<string, { readonly title: string }>> = checklistTexts.steps;

const finders = (titles: ContentTitles): Readonly<Record<string, Find>> => ({
  poll: findPolls,
  'community-poll': findCommunityPolls,
  comment: findComments,
  member: findMembers,
  operator: findMembers,
  content: findContent(titles),
  webhook: findWebhooks,
  image: findOn(imageAddress),
  import: findOn(() => adminPages.imports.path),
  release: findOn(() => adminPages.health.path),
  token: findOn(() => settings('tokens')),
  invitation: findOn(() => settings('people')),
  setting: findOn(
    () => settings('shared-password'),
    () => sharedPasswordTexts.heading,
  ),
  setup: findOn(
    () => `${adminPages.today.path}?setup=open#setup`,
    (id) => steps[id]?.title ?? checklistTexts.heading,
  ),
});

/** What these entries are about: as it is now, or as the entry recorded it if it is gone or has no other name. */
export async function subjectsOf(
  db: Database,
  entries: readonly AuditRecord[],
  titles: ContentTitles,
): Promise<AuditSubject[]> {
  const find = finders(titles);
  const found = new Map<string, Found>();
  for (const [kind, ofKind] of Map.groupBy(entries, (entry) => entry.kind)) {
    const ids = [...new Set(ofKind.map(({ subject }) => subject))].filter((id) => id !== '');
    for (const one of (await find[kind]?.(db, ids)) ?? []) found.set(`${kind} ${one.id}`, one);
  }
  return entries.map(({ kind, subject, before, after }) => {
    const { title, path } = found.get(`${kind} ${subject}`) ?? { title: null, path: null };
    const shown = title ?? recordedTitle(after) ?? recordedTitle(before);
    return { title: shown === null ? null : cutText(shown.replace(/\s+/g, ' '), titleLength), path };
  });
}

/** The fields of entries that name their subject. */
const titleFields = ['question', 'title', 'username', 'host', 'fileName', 'name', 'role'];

function recordedTitle(values: unknown): string | null {
  if (typeof values !== 'object' || values === null) return null;
  const texts = titleFields.map((field) => (values as Record<string, unknown>)[field]);
  return texts.find((text) => typeof text === 'string') ?? null;
}
