import { useSyncExternalStore } from 'react';

/** Milliseconds between two moments that {@link useNow} tells apart. */
export const nowStepMs = 30_000;

function subscribe(tick: () => void): () => void {
  const timer = setInterval(tick, nowStepMs);
  return () => clearInterval(timer);
}

/** The moment, to half a minute behind, followed as it passes; null where the page was rendered before. */
export function useNow(): number | null {
  return useSyncExternalStore(
    subscribe,
    () => Math.floor(Date.now() / nowStepMs) * nowStepMs,
    () => null,
  );
}
