import { relativeTime } from '#domain/relative-time.ts';
import { formatDay, formatMoment } from './format.ts';
import { useNow } from './use-now.ts';

/** A moment as a day where the page was rendered before, and relative to now once it is alive; exact in its title. */
export function RelativeTime({ moment }: { readonly moment: string }) {
  const now = useNow();
  return (
    <time className="relative-time" dateTime={moment} title={formatMoment(moment)}>
      {now === null ? formatDay(moment) : relativeTime(Date.parse(moment), now)}
    </time>
  );
}
