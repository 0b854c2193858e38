import type { Comment } from '#contract/comment.ts';
import type { CommunityPoll } from '#contract/community-poll.ts';
import * as limits from '#contract/limits.ts';
import { pathOf } from '#contract/routes.ts';
import { pollIdPattern, reservedCommunityPollIds, sessionCookie } from '#contract/vocabulary.ts';
import { readFromApi } from '#site/site-config.ts';

/** Comments in the HTML of a community poll's page. */
const commentsRendered = 20;

/** Why a community poll is not shown. */
export type CommunityPollProblemKind = 'signIn' | 'denied' | 'notFound' | 'unavailable';

/** A community poll for its page, or why there is none. `comments` is null where they could not be read. */
export type LoadedCommunityPoll = {
  /** Lines that the API wants the browser to keep, when it lets a session last longer; never for a stranger's page. */
  readonly setCookies: readonly string[];
} & (
  | {
      readonly kind: 'found';
      readonly poll: CommunityPoll;
      readonly comments: readonly Comment[] | null;
      readonly readAt: string;
    }
  | { readonly kind: CommunityPollProblemKind }
);

/** Who wants to see the page. */
export interface PageVisitor {
  /** The address that the API counts calls by. */
  readonly address: string;
  /** The request's own Cookie header. */
  readonly cookie: string | null;
}

const id = new RegExp(pollIdPattern);
const reserved: ReadonlySet<string> = new Set(reservedCommunityPollIds);

/**
 * Asks the API for one community poll; never throws. It asks as a stranger first, so that the page of a public or
 * unlisted poll has no personal byte in it whoever opens it, and only for a private one as the person of the session.
 */
export async function loadCommunityPoll(pollId: string, visitor: PageVisitor): Promise<LoadedCommunityPoll> {
  if (!id.test(pollId) || reserved.has(pollId)) return { kind: 'notFound', setCookies: [] };
  try {
    const stranger = await loadAs(null, pollId, visitor.address);
    if (stranger.kind !== 'signIn' && stranger.kind !== 'denied') return stranger;
    const session = sessionOf(visitor.cookie);
    return session === null ? stranger : await loadAs(session, pollId, visitor.address);
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
  // The discussion is a courtesy to readers without scripts: the poll is shown without it too.
  const comments = await read(pathOf('comments', { id: pollId }, { limit: commentsRendered }))
    .then(async (response) => (response.ok ? ((await response.json()) as Comment[]) : null))
    .catch(() => null);
  return { kind: 'found', poll, comments, readAt, setCookies };
}

/** The session's cookies and nothing else of a Cookie header; null without them. */
function sessionOf(header: string | null): string | null {
  const kept = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${sessionCookie}=`) || part.startsWith(`${sessionCookie}.sig=`));
  return kept.length > 0 ? kept.join('; ') : null;
}
