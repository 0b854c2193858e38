// A copy of its own: a module that React’s islands share would be two more requests on every page.
import { relativeTime } from '#domain/relative-time.ts?shell';

/** Makes the dates of `<time>` elements relative to now, since a pre-rendered page may be read years later. */
export function showRelativeTimes(): void {
  for (const element of document.querySelectorAll<HTMLTimeElement>('time:is(.relative-time, [data-relative])')) {
    const moment = Date.parse(element.dateTime);
    if (Number.isNaN(moment)) continue;
    if (element.title === '') element.title = element.textContent.trim();
    element.textContent = relativeTime(moment, Date.now());
  }
}
