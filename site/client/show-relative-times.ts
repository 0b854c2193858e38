import { relativeTime } from '#domain/relative-time.ts';

/** Makes the dates of `<time>` elements relative to now, since a pre-rendered page may be read years later. */
export function showRelativeTimes(root: ParentNode, selector = 'time'): void {
  for (const element of root.querySelectorAll<HTMLTimeElement>(selector)) {
    const moment = Date.parse(element.dateTime);
    if (Number.isNaN(moment)) continue;
    if (element.title === '') element.title = element.textContent.trim();
    element.textContent = relativeTime(moment, Date.now());
  }
}
