import type { BadgeKey } from '#contract/badges.ts';
import type { PollDoing } from '#contract/profile.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient } from '#site/client/query-client.ts';
import { linkCopiedEvent } from '#site/ui/visit-event.ts';
import { toast, toastClosed } from '#site/ui/toasts.ts';

/** Tells that the member opened a poll. Nobody waits for it to work: it never rejects. */
export async function tellOpened(opened: PollDoing): Promise<void> {
  await callApi('pollOpened', { body: opened }).catch(() => undefined);
}

/** From now on tells which polls' links the member copies, and calls `then` when it is told; the answer stops it. */
export function tellCopiedLinks(then: () => void): () => void {
  const tell = (event: Event) => {
    const shared = pollOf((event as CustomEvent<string>).detail);
    if (shared) callApi('pollShared', { body: shared }).then(then, () => undefined);
  };
  addEventListener(linkCopiedEvent, tell);
  return () => removeEventListener(linkCopiedEvent, tell);
}

const pollPage = /^\/(poll|community-polls)\/([A-Za-z0-9_-]{1,80})$/;

/** The poll whose page has this address, or null. */
export function pollOf(address: string): PollDoing | null {
  const [, place, id] = pollPage.exec(new URL(address, location.href).pathname) ?? [];
  if (place === undefined || id === undefined) return null;
  return { kind: place === 'poll' ? 'poll' : 'community', id };
}

/** Calls `then` after each thing that the member did on this page: a vote, a comment, a poll. The answer stops it. */
export function afterMemberActed(then: () => void): () => void {
  return queryClient()
    .getMutationCache()
    .subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success') then();
    });
}

const waiting = new Set<BadgeKey>();
let running = false;

/**
 * Announces badges as soon as the page is looked at and no other notification is on screen. The server says who may:
 * of several tabs, one announces a badge, once. What cannot be announced now, the next look or the next page tells.
 */
export async function announceBadges(badges: readonly BadgeKey[]): Promise<void> {
  for (const badge of badges) waiting.add(badge);
  if (running) return;
  running = true;
  try {
    while (waiting.size > 0) {
      // Emblems and words come with the news, before the server is told: without them nothing can be shown.
      const { messageOf } = await import('./badge-message.tsx');
      await lookedAt();
      await toastClosed();
      const next = [...waiting];
      waiting.clear();
      const taken = await callApi('announceBadges', { body: { badges: next } });
      // Something else may have been said while the server was asked.
      await toastClosed();
      if (taken.length > 0) toast(messageOf(taken.map(({ key }) => key)));
    }
  } catch {
    waiting.clear();
  } finally {
    running = false;
  }
}

function lookedAt(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    look();
  });
}
