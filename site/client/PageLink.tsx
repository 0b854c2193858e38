import { isPlainPress } from './plain-press.ts';

interface PageLinkProps {
  readonly text: string;
  readonly rel: 'prev' | 'next';
  /** The address of the page; undefined if there is no such page. */
  readonly href: string | undefined;
  /** Shows the page in place; without it, the link loads the page. */
  readonly onPress?: () => void;
}

/** Previous or Next as a link, so it works without scripts; disabled if there is no such page. */
export function PageLink({ text, rel, href, onPress }: PageLinkProps) {
  if (href === undefined)
    return (
      <span className="button" role="link" aria-disabled="true">
        {text}
      </span>
    );
  return (
    <a
      className="button"
      rel={rel}
      href={href}
      onClick={(event) => {
        if (!onPress || !isPlainPress(event)) return;
        event.preventDefault();
        onPress();
      }}
    >
      {text}
    </a>
  );
}
