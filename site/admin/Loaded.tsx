import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { adminTexts as texts } from '#texts/admin.ts';
import { sentenceOf } from './admin-session.ts';

interface LoadedProps<T> {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}

/** What was asked for, once it is there; else that it is on its way, or why it is not. */
export function Loaded<T>({ query, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (!query.isError) return <p className="muted">{texts.loading}</p>;
  return (
    <div className="row" role="alert">
      <p>{sentenceOf(query.error)}</p>
      <button type="button" className="button" onClick={() => void query.refetch()}>
        {texts.retry}
      </button>
    </div>
  );
}
