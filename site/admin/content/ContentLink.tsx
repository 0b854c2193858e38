import type { ReactNode } from 'react';
import { setAddress } from '#site/admin/use-address.ts';
import { isPlainPress } from '#site/client/plain-press.ts';
import { contentPath, entryQuery } from './content-address.ts';
import type { EntryKey } from './content-address.ts';

interface ContentLinkProps {
  /** What the link shows; null: the list. */
  readonly entry: EntryKey | null;
  readonly children: ReactNode;
}

/** A link to the editor of an entry, or to the list, which is shown in place. */
export function ContentLink({ entry, children }: ContentLinkProps) {
  return (
    <a
      className={entry === null ? 'back-link' : undefined}
      href={entry === null ? contentPath : `${contentPath}?entry=${entryQuery(entry)}`}
      dir="auto"
      onClick={(event) => {
        if (!isPlainPress(event)) return;
        event.preventDefault();
        showEntry(entry);
      }}
    >
      {children}
    </a>
  );
}

/** Shows the editor of an entry, or the list for null. */
export function showEntry(entry: EntryKey | null, options?: { readonly replace?: boolean }): void {
  setAddress({ entry: entry === null ? null : entryQuery(entry) }, options);
}
