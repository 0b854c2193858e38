import { pathOf } from '#contract/routes.ts';
import * as limits from '#contract/limits.ts';
import type { HistoricalPage } from '#contract/poll.ts';
import { readFromApi } from '#site/site-config.ts';
import type { ArchiveView } from './archive-query.ts';
import { archiveCallQuery } from './archive-query.ts';

/**
 * One page of the archive, requested from the API for a page rendered on demand; null if the API fails. The visitor’s
 * address is forwarded for the API’s rate limits.
 */
export async function fetchArchivePage(view: ArchiveView, visitor: string): Promise<HistoricalPage | null> {
  try {
    const response = await readFromApi(pathOf('historicalPolls', {}, archiveCallQuery(view)), {
      headers: { accept: 'application/json', 'x-forwarded-for': visitor },
      signal: AbortSignal.timeout(limits.callTimeoutMs),
    });
    if (response.ok) return (await response.json()) as HistoricalPage;
    console.error(`Could not fetch the archive: the API returned ${response.status}.`);
  } catch (error) {
    console.error('Could not fetch the archive: the API did not respond.', error);
  }
  return null;
}
