import { useLayoutEffect, useRef } from 'react';
import { clientTexts } from '#texts/client.ts';
import { retryFailed } from './query-client.ts';

interface RetryButtonProps {
  /** A retry is running. */
  readonly pending: boolean;
  readonly small?: boolean;
}

/** Refetches everything on this page that failed to load. */
export function RetryButton({ pending, small = false }: RetryButtonProps) {
  const button = useRef<HTMLButtonElement>(null);

  // The button disappears when the data arrives; keyboard focus then moves to the content.
  useLayoutEffect(() => {
    const own = button.current;
    return () => {
      if (own !== null && document.activeElement === own)
        document.getElementById('main')?.focus({ preventScroll: true });
    };
  }, []);

  return (
    <button
      ref={button}
      type="button"
      className={small ? 'button button--small' : 'button'}
      aria-disabled={pending}
      onClick={() => pending || void retryFailed()}
    >
      {clientTexts.retry}
    </button>
  );
}
