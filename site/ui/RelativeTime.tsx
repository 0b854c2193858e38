import { useSyncExternalStore } from 'react';
import { relativeTime } from '#domain/relative-time.ts';
import { formatDay, formatMoment } from './format.ts';

const tickMs = 30_000;

function subscribe(tick: () => void): () => void {
  const timer = setInterval(tick, tickMs);
  return () => clearInterval(timer);
}

/** A moment as a day where the page was rendered before, and relative to now once it is alive; exact in its title. */
export function RelativeTime({ moment }: { readonly moment: string }) {
  const now = useSyncExternalStore(
    subscribe,
    () => Math.floor(Date.now() / tickMs) * tickMs,
    () => null,
  );
  return (
    <time dateTime={moment} title={formatMoment(moment)}>
      {now === null ? formatDay(moment) : relativeTime(Date.parse(moment), now)}
    </time>
  );
}
