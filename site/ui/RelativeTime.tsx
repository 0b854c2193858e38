import { useSyncExternalStore } from 'react';
import { relativeTime } from '#domain/relative-time.ts';
import { displayOffset, formatDay, formatMoment } from './format.ts';

/** Resolution of {@link useNow}. */
export const nowStepMs = 30_000;

function subscribe(notify: () => void): () => void {
  const timer = setInterval(notify, nowStepMs);
  return () => clearInterval(timer);
}

/** The current time, rounded down to half a minute and updated as it passes; null in pre-rendered HTML. */
export function useNow(): number | null {
  return useSyncExternalStore(
    subscribe,
    () => Math.floor(Date.now() / nowStepMs) * nowStepMs,
    () => null,
  );
}

/** A time relative to now, with the exact time in its title; the date in pre-rendered HTML. */
export function RelativeTime({ moment }: { readonly moment: string }) {
  const now = useNow();
  return (
    // Plain scripts show it before React does.
    <time suppressHydrationWarning className="relative-time" dateTime={moment} title={formatMoment(moment)}>
      {now === null ? formatDay(moment) : relativeTime(Date.parse(moment) + displayOffset(), now + displayOffset())}
    </time>
  );
}
