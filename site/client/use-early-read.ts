import { useState } from 'react';
import { takeRead } from './early-reads.ts';

/**
 * Options of a query that the page’s plain script may have requested under `name`: its response, or, until the next one, `initial`,
 * which was published at `readAt` (ISO 8601) and knows nothing about this visitor. Without a name, the query just reads.
 */
export function useEarlyRead<T, I extends T | undefined>(
  name: string | null,
  read: (signal: AbortSignal) => Promise<T>,
  initial: I,
  readAt = '',
) {
  const [taken] = useState(() => (name === null ? undefined : takeRead<T>(name)));
  const early = name === null ? undefined : taken;
  const hasResponse = early?.data !== undefined;
  return {
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => early?.take() ?? read(signal),
    initialData: (early?.data ?? initial) as T | I,
    initialDataUpdatedAt: hasResponse ? early.at : Date.parse(readAt),
    refetchOnMount: hasResponse ? false : ('always' as const),
  };
}
