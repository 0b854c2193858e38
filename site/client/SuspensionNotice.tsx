import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { createPortal } from 'react-dom';
import { callApi } from './api.ts';
import { queryClient, queryKeys } from './query-client.ts';
import { formatDay } from '#site/ui/format.ts';
import { decisionsTexts as texts } from '#texts/moderation.ts';
import styles from './SuspensionNotice.module.css';

/** At the top of every page of a suspended member: until when, why, and how to appeal. */
export function SuspensionNotice() {
  const id = useId();
  const [place] = useState(() => document.createElement('div'));
  useEffect(() => {
    document.getElementById('main')?.prepend(place);
    return () => place.remove();
  }, [place]);
  const { data } = useQuery(
    { queryKey: queryKeys.decisions, queryFn: ({ signal }) => callApi('moderationDecisions', { signal }) },
    queryClient(),
  );
  const suspension = data?.decisions.find(({ action, endedAt }) => action === 'suspend' && endedAt === null);
  const isHere = location.pathname === texts.path;
  return createPortal(
    <aside className={`notice ${styles.suspension}`} aria-labelledby={id}>
      <p id={id} className="notice__title">
        {data === undefined
          ? texts.suspendedNow
          : texts.suspended(data.suspendedUntil === null ? null : formatDay(data.suspendedUntil))}
      </p>
      {suspension !== undefined && <p dir="auto">{texts.reason(suspension.reason)}</p>}
      <p className="notice__text">{texts.suspendedText}</p>
      <a className="button" href={isHere ? '/profile/account' : texts.path}>
        {isHere ? texts.account : suspension?.mayAppeal === true ? texts.appeal : texts.see}
      </a>
    </aside>,
    place,
  );
}
