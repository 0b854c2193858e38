import type { BadgeKey } from '#api/members/badges/badges.contract.ts';
import { BadgeEmblem } from '#site/ui/BadgeEmblem.tsx';
import { formatCount } from '#site/ui/format.ts';
import type { ToastMessage } from '#site/ui/toasts.ts';
import { badgeWords } from '#texts/badges.ts';
import { badgeNewsTexts as texts } from '#texts/profile.ts';

/** Most emblems and names in one notification. */
const maxEmblems = 3;
const maxNames = 5;

/** The notification about earned badges: the description of a single badge, or the names of several. */
export function badgeToast(badges: readonly BadgeKey[]): ToastMessage {
  const [first, second] = badges;
  const names = badges.map((badge) => badgeWords[badge].name);
  const icon = (
    <>
      {badges.slice(0, maxEmblems).map((badge) => (
        <BadgeEmblem key={badge} badge={badge} earned size={second === undefined ? 56 : 44} />
      ))}
    </>
  );
  if (first !== undefined && second === undefined)
    return { title: texts.one(names[0]!), text: badgeWords[first].description, icon };
  return {
    title: texts.many(formatCount(badges.length)),
    text:
      names.length > maxNames
        ? texts.more(names.slice(0, maxNames).join(', '), names.length - maxNames)
        : texts.list(names),
    icon,
  };
}
