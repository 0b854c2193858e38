import type { BadgeKey } from '#contract/badges.ts';
import { callApi } from '#site/client/api.ts';
import { toast, toastPlaceFree } from '#site/ui/toasts.ts';

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
      await toastPlaceFree();
      const next = [...waiting];
      waiting.clear();
      const taken = await callApi('announceBadges', { body: { badges: next } });
      // Something else may have been said while the server was asked.
      await toastPlaceFree();
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
