import type { Comment } from '#api/comments/comments.contract.ts';
import type { CommunityPoll, RecordedEdit } from '#api/polls/community/community-polls.contract.ts';
import * as limits from '#contract/limits.ts';
import { pathOf } from '#domain/path-of.ts';
import { hostSessionCookie, pollIdPattern, reservedCommunityPollIds, sessionCookie } from '#contract/vocabulary.ts';
import { readFromApi } from '#site/site-config.ts';
import type { PollProblemKind } from '#site/polls/voting/use-poll.ts';

/** Comments in the HTML of a community poll’s page. */
const commentsRendered = 20;

/** A community poll for its page, or why there is none. `comments` is null where they could not be read. */
type LoadedCommunityPoll = {
  /** Set-Cookie headers that renew a session; none on pages rendered without one. */
  readonly setCookies: readonly string[];
} & (
  | {
      readonly kind: 'found';
      readonly poll: CommunityPoll;
      readonly comments: readonly Comment[] | null;
      readonly readAt: string;
    }
  | { readonly kind: PollProblemKind }
);

/** The visitor who requested the page. */
interface PageVisitor {
  /** The address for the API’s rate limits. */
  readonly address: string;
  /** The Cookie header of the request. */
  readonly cookie: string | null;
}

const id = new RegExp(pollIdPattern);
const reserved: ReadonlySet<string> = new Set(reservedCommunityPollIds);

/**
 * Requests one community poll from the API; never throws. The first request is anonymous, so pages of public and unlisted
 * polls contain nothing personal; only a private poll is requested with the visitor’s session.
 */
export async function loadCommunityPoll(pollId: string, visitor: PageVisitor): Promise<LoadedCommunityPoll> {
  if (!id.test(pollId) || reserved.has(pollId)) return { kind: 'notFound', setCookies: [] };
  try {
    const anonymous = await loadAs(null, pollId, visitor.address);
    if (anonymous.kind !== 'signIn' && anonymous.kind !== 'denied') return anonymous;
    const session = sessionOf(visitor.cookie);
    return session === null ? anonymous : await loadAs(session, pollId, visitor.address);
  } catch {
    return { kind: 'unavailable', setCookies: [] };
  }
}

async function loadAs(session: string | null, pollId: string, address: string): Promise<LoadedCommunityPoll> {
  const read = (path: string) =>
    readFromApi(path, {
      headers: {
        accept: 'application/json',
        'x-forwarded-for': address,
        ...(session !== null && { cookie: session }),
      },
      signal: AbortSignal.timeout(limits.pageCallTimeoutMs),
    });
  const answer = await read(pathOf('communityPoll', { id: pollId }));
  const setCookies = session === null ? [] : answer.headers.getSetCookie();
  if (answer.status === 401) return { kind: 'signIn', setCookies };
  if (answer.status === 403) return { kind: 'denied', setCookies };
  if (answer.status === 404) return { kind: 'notFound', setCookies };
  if (!answer.ok) return { kind: 'unavailable', setCookies };
  const poll = (await answer.json()) as CommunityPoll;
  const readAt = new Date().toISOString();
  if (poll.commentCount === 0) return { kind: 'found', poll, comments: [], readAt, setCookies };
  // Comments are for readers without scripts; the poll is shown even if they can’t be loaded.
  const comments = await read(pathOf('comments', { id: pollId }, { limit: commentsRendered }))
    .then(async (response) => (response.ok ? ((await response.json()) as Comment[]) : null))
    .catch(() => null);
  return { kind: 'found', poll, comments, readAt, setCookies };
}

/**
 * The recorded edits of a poll, which is requested like its page; `edits` come with the poll. Never throws.
 */
export async function loadEdits(
  pollId: string,
  visitor: PageVisitor,
): Promise<LoadedCommunityPoll & { readonly edits: readonly RecordedEdit[] }> {
  const found = await loadCommunityPoll(pollId, visitor);
  if (found.kind !== 'found') return { ...found, edits: [] };
  const session = sessionOf(visitor.cookie);
  const edits = await readFromApi(pathOf('communityPollEdits', { id: pollId }), {
    headers: { accept: 'application/json', 'x-forwarded-for': visitor.address, ...(session && { cookie: session }) },
    signal: AbortSignal.timeout(limits.pageCallTimeoutMs),
  })
    .then(async (answer) => (answer.ok ? ((await answer.json()) as RecordedEdit[]) : null))
    .catch(() => null);
  return edits === null ? { kind: 'unavailable', setCookies: found.setCookies, edits: [] } : { ...found, edits };
}

const sessionCookies = [hostSessionCookie, sessionCookie];

/** The session cookies of a Cookie header; null without them. */
function sessionOf(header: string | null): string | null {
  const kept = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => sessionCookies.some((name) => part.startsWith(`${name}=`) || part.startsWith(`${name}.sig=`)));
  return kept.length > 0 ? kept.join('; ') : null;
}
