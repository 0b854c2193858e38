import { relativeTime } from '#domain/relative-time.ts';

/** Makes the days in `<time data-relative>` relative to now: a page that was rendered once is read for years. */
for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-relative]')) {
  const moment = Date.parse(element.dateTime);
  if (Number.isNaN(moment)) continue;
  element.title = element.textContent.trim();
  element.textContent = relativeTime(moment, Date.now());
}
