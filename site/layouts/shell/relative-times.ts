// A copy of its own: a module that React’s islands share would be two more requests on every page.
import { relativeTime } from '#domain/relative-time.ts?shell';

const exact = new Intl.DateTimeFormat('en-US', {
  ...({ day: 'numeric', month: 'short', year: 'numeric' } as const),
  ...({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const),
});

/**
 * Makes the dates of `<time>` elements relative to now, since a pre-rendered page may be read years later, with the exact time
 * in a tooltip, in the reader’s time zone.
 */
export function showRelativeTimes(): void {
  for (const element of document.querySelectorAll<HTMLTimeElement>('time:is(.relative-time, [data-relative])')) {
    const moment = Date.parse(element.dateTime);
    if (Number.isNaN(moment)) continue;
    const hasTime = element.dateTime.length > 10;
    element.dataset.tooltip = hasTime ? exact.format(moment) : element.textContent.trim();
    if (element.closest('a') === null) element.tabIndex = 0;
    const offset = -new Date().getTimezoneOffset() * 60_000;
    element.textContent = relativeTime(hasTime ? moment + offset : moment, Date.now() + offset);
  }
}
