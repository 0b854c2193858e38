import type { BadgeKey } from '#contract/badges.ts';
import { callApi } from '#site/client/api.ts';
import { BadgeEmblem } from '#site/ui/BadgeEmblem.tsx';
import { formatCount } from '#site/ui/format.ts';
import { toast, toastPlaceFree } from '#site/ui/toasts.ts';
import type { ToastMessage } from '#site/ui/toasts.ts';
import { badgeWords } from '#texts/badges.ts';
import { badgeNewsTexts as texts } from '#texts/profile.ts';

/** Emblems and names that one notification has room for. */
const emblemsShown = 3;
const namesShown = 5;

const waiting = new Set<BadgeKey>();
let running = false;

/**
 * Announces badges as soon as the page is looked at and no other notification is on screen. The server says who may:
 * of several tabs, one announces a badge, once. What cannot be announced now is announced by the next page.
 */
export async function announceBadges(badges: readonly BadgeKey[]): Promise<void> {
  for (const badge of badges) waiting.add(badge);
  if (running) return;
  running = true;
  try {
    while (waiting.size > 0) {
      await lookedAt();
      await toastPlaceFree();
      const next = [...waiting];
      waiting.clear();
      const taken = await callApi('announceBadges', { body: { badges: next } });
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

/** One badge with its own words, several by their names. */
function messageOf(badges: readonly BadgeKey[]): ToastMessage {
  const [first, second] = badges;
  const names = badges.map((badge) => badgeWords[badge].name);
  const icon = (
    <>
      {badges.slice(0, emblemsShown).map((badge) => (
        <BadgeEmblem key={badge} badge={badge} earned size={second === undefined ? 56 : 44} />
      ))}
    </>
  );
  if (first !== undefined && second === undefined)
    return { title: texts.one(names[0]!), text: badgeWords[first].description, icon };
  return {
    title: texts.many(formatCount(badges.length)),
    text:
      names.length > namesShown
        ? texts.more(names.slice(0, namesShown).join(', '), names.length - namesShown)
        : texts.list(names),
    icon,
  };
}
