import { clientTexts } from '#texts/client.ts';
import { retryFailed } from './query-client.ts';

interface RetryButtonProps {
  /** A try is under way. */
  readonly pending: boolean;
  readonly small?: boolean;
}

/** Asks again for everything that could not be fetched on this page. */
export function RetryButton({ pending, small = false }: RetryButtonProps) {
  return (
    <button
      type="button"
      className={small ? 'button button--small' : 'button'}
      disabled={pending}
      onClick={() => void retryFailed()}
    >
      {clientTexts.retry}
    </button>
  );
}
