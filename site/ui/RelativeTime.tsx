import { useSyncExternalStore } from 'react';
import { relativeTime } from '#domain/relative-time.ts';
import { displayOffset, formatDay, formatMoment, shownZone, siteZone } from './format.ts';

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

/** The time zone of times in this text: the site’s in pre-rendered HTML, then the one that the page shows. */
export function useShownZone(): string {
  return useNow() === null ? siteZone() : shownZone();
}

interface RelativeTimeProps {
  /** ISO 8601. */
  readonly moment: string;
  /** It is inside of a link, which has the focus instead. */
  readonly inLink?: boolean;
  /** Somebody may depend on the exact time, which is therefore shown where no script runs. */
  readonly isDeadline?: boolean;
}

/** A time relative to now, with the exact time in a tooltip, one tap away; the date in pre-rendered HTML. */
export function RelativeTime({ moment, inLink = false, isDeadline = false }: RelativeTimeProps) {
  const now = useNow();
  const exact = formatMoment(moment);
  return (
    <>
      <time className="relative-time" dateTime={moment} data-tooltip={exact} {...(!inLink && { tabIndex: 0 })}>
        {now === null ? formatDay(moment) : relativeTime(Date.parse(moment) + displayOffset(), now + displayOffset())}
      </time>
      {isDeadline && <noscript> ({exact})</noscript>}
    </>
  );
}
