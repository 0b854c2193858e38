import { useLayoutEffect, useRef } from 'react';
import { clientTexts } from '#texts/client.ts';
import { retryFailed } from './query-client.ts';

interface RetryButtonProps {
  /** A try is under way. */
  readonly pending: boolean;
  readonly small?: boolean;
}

/** Asks again for everything that could not be fetched on this page. */
export function RetryButton({ pending, small = false }: RetryButtonProps) {
  const button = useRef<HTMLButtonElement>(null);

  // It goes when what it asked for arrives; whoever pressed it goes on at the content.
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
