import type { PollEvent } from '#api/events/events.ts';
import type { SearchDocument, FoundablePoll } from './documents.queries.ts';
import { deleteDocuments, foundablePolls, optionTexts, putDocuments } from './documents.queries.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { lockBallots } from '#api/voting/ballots.service.ts';
import { plainText, foldedWords } from '#domain/search-text.ts';

/** The version of the documents’ contents; the first start with a new one rebuilds the index. */
const indexVersion = '2';
/** The row of `installation` with the version of the index. */
const versionName = 'search index';

/** Characters of a body that are indexed. */
const indexedCharacters = 20_000;
/** Polls per batch. */
const pollsAtOnce = 250;

/**
 * Brings the index up to date with these polls and community polls. Call it in the transaction that creates them, changes
 * their texts, or opens or closes them, once they are locked or written; deleting a ballot deletes its document.
 */
export async function indexPolls(trx: Database, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += pollsAtOnce) {
    const some = ids.slice(from, from + pollsAtOnce);
    const polls = await foundablePolls(trx, some);
    const found = polls.map(({ id }) => id);
    const options = await optionTexts(trx, found);
    await putDocuments(
      trx,
      'ballot_id',
      polls.map((poll) => documentOf(poll, options.get(poll.id) ?? [])),
    );
    if (found.length < some.length)
      await deleteDocuments(
        trx,
        'ballot_id',
        some.filter((id) => !found.includes(id)),
      );
  }
}

/** Brings the index up to date with polls to which something happened. */
export async function updateSearch(trx: Database, events: readonly PollEvent[]): Promise<void> {
  // What search knows of a community poll is the same once it has ended.
  const changed = events.filter(({ type, poll }) => poll.kind === 'poll' || (poll.listed && type !== 'poll.closed'));
  await indexPolls(
    trx,
    changed.map(({ subject }) => subject.id),
  );
}

function documentOf(poll: FoundablePoll, options: readonly string[]): SearchDocument {
  const { id, kind, category, question, description, closed_at, author, summary, analysis } = poll;
  // Of an open poll, such as one that was reopened, no page shows these: they tell the result.
  const reported = closed_at === null ? [] : [summary ?? '', plainText(analysis ?? '')];
  return withTexts({
    kind: kind === 'poll' && closed_at !== null ? 'report' : kind,
    ...{ ballot_id: id, slug: null },
    title: question,
    details: [...options, ...(JSON.parse(poll.tags) as string[]), category ?? '', author ?? ''],
    body: [description, ...reported],
    starts_at: poll.starts_at,
    dated_at: kind === 'community' ? poll.created_at : (closed_at ?? poll.ends_at ?? poll.starts_at),
  });
}

/** An article as search needs it; `content` is HTML, and times are in milliseconds. */
interface IndexedArticle {
  readonly slug: string;
  readonly title: string;
  readonly excerpt: string;
  readonly content: string;
  readonly category: string;
  readonly author: string;
  readonly tags: readonly string[];
  readonly published_at: number;
}

/** Brings the index up to date with published articles, in the transaction that publishes them. */
export async function indexArticles(trx: Database, articles: readonly IndexedArticle[]): Promise<void> {
  await putDocuments(
    trx,
    'slug',
    articles.map((article) =>
      withTexts({
        ...{ kind: 'article', ballot_id: null, slug: article.slug },
        title: article.title,
        details: [...article.tags, article.category, article.author],
        body: [article.excerpt, plainText(article.content)],
        starts_at: 0,
        dated_at: article.published_at,
      }),
    ),
  );
}

/** Removes articles from the index, in the transaction that unpublishes them. */
export async function unindexArticles(trx: Database, slugs: readonly string[]): Promise<void> {
  await deleteDocuments(trx, 'slug', slugs);
}

type Parts = Omit<SearchDocument, 'details' | 'body' | 'folded'> & {
  readonly details: readonly string[];
  readonly body: readonly string[];
};

function withTexts({ details, body, ...rest }: Parts): SearchDocument {
  const texts = [details.join('\n'), body.filter((part) => part !== '').join('\n')].map((text) =>
    // These mark matches in snippets.
    text
      .replace(/\p{Cc}/gu, ' ')
      .slice(0, indexedCharacters)
      .toWellFormed(),
  ) as [string, string];
  const [all, title] = [`${rest.title} ${texts.join(' ')}`, rest.title.replace(/\p{Cc}/gu, ' ')];
  return { ...rest, title, details: texts[0], body: texts[1], folded: foldedWords(all) };
}

/**
 * Builds the index if it is missing or of another version, in batches between which votes are recorded, while requests use
 * what is already there. Safe with several processes, and when one is killed.
 */
export async function buildSearchIndex(
  db: Database,
  onProgress: (done: number, of: number) => void = () => undefined,
): Promise<void> {
  const built = await db('installation').where({ name: versionName }).first('value');
  if (built?.value === indexVersion) return;
  const { count } = await db('ballots').count({ count: '*' }).first<{ count: number | string }>();
  let done = 0;
  for (let after = ''; ;) {
    const ids = await db('ballots').where('id', '>', after).orderBy('id').limit(pollsAtOnce).pluck('id');
    if (ids.length === 0) break;
    await db.transaction(async (trx) => {
      await lockBallots(trx, ids);
      await indexPolls(trx, ids);
    });
    after = ids.at(-1)!;
    done += ids.length;
    onProgress(done, Math.max(done, Number(count)));
  }
  await db.transaction(async (trx) => {
    const articles = await trx('blog_posts').where({ published: true }).select('*');
    await indexArticles(
      trx,
      articles.map((article) => ({ ...article, tags: JSON.parse(article.tags) as string[] })),
    );
    await trx('installation').insert({ name: versionName, value: indexVersion }).onConflict('name').merge();
  });
  // Tells the planner which words are frequent.
  if (!isSqlite(db)) await db.raw('analyze search_documents');
}
