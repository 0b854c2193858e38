import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { profileTexts } from '#texts/profile.ts';
import { Failed, Stale } from './Failed.tsx';
import styles from './Year.module.css';
import { YearFigure } from './YearFigure.tsx';

const texts = profileTexts.year;

/** The member's last year; `known`: it may be asked for. */
export function Year({ known }: { readonly known: boolean }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.year}>
      <div className="section-head">
        <h2 id={id}>{texts.heading}</h2>
      </div>
      {known ? <OwnYear /> : <Place />}
    </section>
  );
}

function OwnYear() {
  const { data, isError, isFetching } = useActivityDays();
  if (data === undefined)
    return isError ? <Failed title={texts.failedTitle} pending={isFetching} level={3} /> : <Place />;
  return (
    <>
      <YearFigure year={data} />
      {isError && <Stale pending={isFetching} />}
    </>
  );
}

const Place = () => <div className={`skeleton ${styles.place}`} aria-hidden="true" />;

/** How much the member did on each day of the last year. */
function useActivityDays() {
  return useQuery(
    { queryKey: queryKeys.activityDays, queryFn: ({ signal }) => callApi('activityDays', { signal }) },
    queryClient(),
  );
}
