import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Notice } from '#site/ui/Notice.tsx';
import { Vane } from '#site/ui/Vane.tsx';
import { memberPageTexts as texts } from '#texts/profile.ts';
import styles from './MemberPageParts.module.css';
import { RetryButton } from './RetryButton.tsx';

interface PageHeadProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** The header of a page below the profile. */
export function PageHead({ title, children }: PageHeadProps) {
  return (
    <header className={styles.head}>
      <p className="kicker no-print">
        <a className="back-link" href="/profile">
          <span aria-hidden="true">←</span> {texts.profile}
        </a>
      </p>
      <h1 className={styles.title}>{title}</h1>
      {children}
    </header>
  );
}

interface FailedProps {
  readonly title: string;
  /** A retry is running. */
  readonly pending: boolean;
  readonly level?: 1 | 2 | 3;
}

/** Replaces something that failed to load. */
export function Failed({ title, pending, level = 2 }: FailedProps) {
  return (
    <Notice failed title={title} text={texts.failed.text} level={level}>
      <RetryButton pending={pending} />
    </Notice>
  );
}

interface MemberDataProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'isError' | 'isFetching'>;
  readonly texts: { readonly failedTitle: string; readonly loading: string };
  readonly children: (data: T) => ReactNode;
}

/** The data of a query below the header, or that it is loading, or failed to load. */
export function MemberData<T>({ query: { data, isError, isFetching }, texts: own, children }: MemberDataProps<T>) {
  if (data !== undefined) return children(data);
  if (isError) return <Failed title={own.failedTitle} pending={isFetching} />;
  return (
    <p className={styles.loading}>
      <Vane busy /> {own.loading}
    </p>
  );
}

/** Says below older data that it could not be refreshed. */
export function Stale({ pending }: { readonly pending: boolean }) {
  return (
    <div className="row" role="alert">
      <p>{texts.failed.stale}</p>
      <RetryButton pending={pending} small />
    </div>
  );
}
