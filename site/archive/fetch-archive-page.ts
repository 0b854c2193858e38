import { pathOf } from '#contract/routes.ts';
import * as limits from '#contract/limits.ts';
import type { HistoricalPage } from '#contract/poll.ts';
import type { TopicPage } from '#contract/topic.ts';
import { readFromApi } from '#site/site-config.ts';
import type { ArchiveView } from './archive-query.ts';
import { archiveCallQuery } from './archive-query.ts';

/**
 * One page of the archive, requested from the API for a page rendered on demand; null if the API fails. The visitor’s
 * address is forwarded for the API’s rate limits.
 */
export async function fetchArchivePage(view: ArchiveView, visitor: string): Promise<HistoricalPage | null> {
  return (await read<HistoricalPage>(pathOf('historicalPolls', {}, archiveCallQuery(view)), visitor)) ?? null;
}

/** One page of a topic’s closed polls in the same way; null if there is no such page, undefined if the API fails. */
export async function fetchTopicPage(
  { kind, slug }: Pick<TopicPage, 'kind' | 'slug'>,
  page: number,
  visitor: string,
): Promise<TopicPage | null | undefined> {
  return read<TopicPage>(pathOf('topic', { kind, slug }, { page }), visitor);
}

async function read<T>(path: string, visitor: string): Promise<T | null | undefined> {
  try {
    const response = await readFromApi(path, {
      headers: { accept: 'application/json', 'x-forwarded-for': visitor },
      signal: AbortSignal.timeout(limits.callTimeoutMs),
    });
    if (response.ok) return (await response.json()) as T;
    if (response.status === 404) return null;
    console.error(`Could not fetch the archive: the API returned ${response.status}.`);
  } catch (error) {
    console.error('Could not fetch the archive: the API did not respond.', error);
  }
  return undefined;
}
