import type { ReactNode } from 'react';
import { goTo, isPlainPress } from '#site/client/address.ts';

/** A link to another view of this page, which is shown in place. */
export function ContentLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a
      href={href}
      dir="auto"
      onClick={(event) => {
        if (!isPlainPress(event)) return;
        event.preventDefault();
        goTo(href);
      }}
    >
      {children}
    </a>
  );
}
