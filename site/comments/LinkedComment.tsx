import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useSyncExternalStore } from 'react';
import { ApiError, callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { commentAnchor, commentTexts } from '#texts/comments.ts';
import styles from './Comments.module.css';
import { findComment } from './discussion.ts';
import { Thread } from './Thread.tsx';
import type { ThreadProps } from './Thread.tsx';

const texts = commentTexts.linked;
const prefix = commentAnchor('');

function watchAddress(notify: () => void): () => void {
  addEventListener('hashchange', notify);
  return () => removeEventListener('hashchange', notify);
}

/** The comment that the page’s address links to, above the list unless the list has it. */
export function LinkedComment({ pollId, discussion, actions }: Omit<ThreadProps, 'comment'>) {
  const id = useSyncExternalStore(
    watchAddress,
    () => (location.hash.startsWith(prefix) ? location.hash.slice(prefix.length) : ''),
    () => '',
  );
  const heading = useId();
  const section = useRef<HTMLElement>(null);
  const { loaded } = discussion;
  const listed = id !== '' && loaded !== undefined && findComment(loaded, id) !== undefined;
  const { data, error } = useQuery(
    {
      queryKey: [...queryKeys.comments(pollId), id],
      queryFn: ({ signal }) => callApi('comment', { params: { id: pollId, commentId: id }, signal }),
      enabled: id !== '' && loaded !== undefined && !listed,
      staleTime: Infinity,
    },
    queryClient(),
  );
  const shown = !listed && data !== undefined;
  // The browser has scrolled to what the page had when it was loaded.
  useEffect(() => {
    if (shown || listed) document.getElementById(commentAnchor(id).slice(1))?.scrollIntoView({ block: 'center' });
    else if (error !== null) section.current?.scrollIntoView({ block: 'center' });
  }, [shown, listed, id, error]);
  if (id === '' || listed || (!shown && error === null)) return null;
  if (!shown)
    return (
      <section ref={section} className="notice" role="alert">
        <p>{error instanceof ApiError && error.status === 404 ? texts.gone : texts.failed}</p>
      </section>
    );
  // Only the list loads more replies.
  const replyCount = data.replies?.filter(({ hidden }) => !hidden).length ?? 0;
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading}>{texts.heading}</h3>
      <ol className={styles.linked}>
        <Thread {...{ pollId, discussion, actions }} comment={{ ...data, replyCount }} />
      </ol>
    </section>
  );
}
