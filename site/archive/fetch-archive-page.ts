import { pathOf } from '#contract/routes.ts';
import * as limits from '#contract/limits.ts';
import type { HistoricalPage } from '#contract/poll.ts';
import { readFromApi } from '#site/site-config.ts';
import { archiveCallQuery, type ArchiveView } from './archive-query.ts';

/**
 * One page of the archive from the API, on behalf of a visitor whose page is rendered on demand; null when the
 * API does not answer as agreed. The visitor's address goes along, because the API counts calls by address.
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
