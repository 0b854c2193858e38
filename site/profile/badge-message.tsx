import type { BadgeKey } from '#contract/badges.ts';
import { BadgeEmblem } from '#site/ui/BadgeEmblem.tsx';
import { formatCount } from '#site/ui/format.ts';
import type { ToastMessage } from '#site/ui/toasts.ts';
import { badgeWords } from '#texts/badges.ts';
import { badgeNewsTexts as texts } from '#texts/profile.ts';

/** Emblems and names that one notification has room for. */
const emblemsShown = 3;
const namesShown = 5;

/** What is said of badges that were earned: of one its own words, of several their names. */
export function messageOf(badges: readonly BadgeKey[]): ToastMessage {
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
