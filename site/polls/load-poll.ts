import { pathOf } from '#contract/routes.ts';
import * as limits from '#contract/limits.ts';
import type { Poll, RelatedPoll } from '#contract/poll.ts';
import { referringHostHeader, reservedPollIds } from '#contract/vocabulary.ts';
import { parseErrorBody } from '#site/client/api.ts';
import { readFromApi } from '#site/site-config.ts';
import { isClosed } from '#site/voting/ballot.ts';
import { anyPollId } from '#site/voting/form-vote.ts';

/** A poll for a page rendered on demand, or why there is none. */
type LoadedPoll =
  | { readonly kind: 'found'; readonly poll: Poll; readonly related: readonly RelatedPoll[]; readonly readAt: string }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'deleted'; readonly at: string; readonly reason: string; readonly redirectTo: string | null }
  | { readonly kind: 'unavailable' };

/** The API has lists under these ids, not polls. */
const reserved: ReadonlySet<string> = new Set(reservedPollIds);

/**
 * Requests one poll from the API without a device id; never throws. The visitor’s address is forwarded for the API’s rate
 * limits. `preview` is the token of a preview link, `embeddedBy` the host of the page that embeds the poll.
 */
export async function loadPoll(
  pollId: string,
  visitor: string,
  { preview, embeddedBy }: { readonly preview?: string; readonly embeddedBy?: string } = {},
): Promise<LoadedPoll> {
  const read = (path: string, headers = {}) =>
    readFromApi(path, {
      headers: { accept: 'application/json', 'x-forwarded-for': visitor, ...headers },
      signal: AbortSignal.timeout(limits.pageCallTimeoutMs),
    });
  if (!anyPollId.test(pollId) || reserved.has(pollId)) return { kind: 'notFound' };
  try {
    const embedded = embeddedBy === undefined ? {} : { [referringHostHeader]: embeddedBy };
    const answer = await read(pathOf('poll', { id: pollId }, { preview }), embedded);
    if (answer.status === 404) return { kind: 'notFound' };
    const deleted = answer.status === 410 ? parseErrorBody(await answer.text())?.deleted : undefined;
    if (deleted) return { kind: 'deleted', ...deleted };
    if (!answer.ok) return { kind: 'unavailable' };
    const poll = (await answer.json()) as Poll;
    const readAt = new Date().toISOString();
    if (!isClosed(poll) || poll.category === null || poll.category === '')
      return { kind: 'found', poll, related: [], readAt };
    // Related polls are optional: the report is shown without them.
    const related = await read(pathOf('relatedPolls', { category: poll.category, id: poll.id }))
      .then(async (response) => (response.ok ? ((await response.json()) as RelatedPoll[]) : []))
      .catch((): RelatedPoll[] => []);
    return { kind: 'found', poll, related, readAt };
  } catch {
    return { kind: 'unavailable' };
  }
}
