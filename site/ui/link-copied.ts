/** Name of the event on the window that says which link was copied; its detail is the address. */
export const linkCopiedEvent = 'link:copied';

/** Tells whoever listens (profile/BadgeNews, for members alone) that somebody took a link along. */
export function tellLinkCopied(url: string): void {
  dispatchEvent(new CustomEvent<string>(linkCopiedEvent, { detail: url }));
}
