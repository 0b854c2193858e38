import { relativeTime } from '#domain/relative-time.ts';

/** Makes the dates in `<time data-relative>` relative to now, since a pre-rendered page may be read years later. */
for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-relative]')) {
  const moment = Date.parse(element.dateTime);
  if (Number.isNaN(moment)) continue;
  element.title = element.textContent.trim();
  element.textContent = relativeTime(moment, Date.now());
}
