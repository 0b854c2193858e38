import { useInfiniteQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { adminErrorMessage, adminKey, callAdmin } from '#site/admin/admin-session.ts';
import { queryClient } from '#site/client/query-client.ts';
import { formatMoment } from '#site/ui/format.ts';
import { adminTexts } from '#texts/admin.ts';
import { pollEditorTexts } from '#texts/poll-editor.ts';
import { FieldDiffs } from './FieldDiffs.tsx';
import styles from './PollEditor.module.css';

const { history: texts } = pollEditorTexts;

interface PollHistoryProps {
  readonly id: string;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** What was published of a poll over time, loaded when it is opened. */
export function PollHistory({ id, isOpen, onOpen }: PollHistoryProps) {
  const heading = useId();
  return (
    <section className={styles.history} aria-labelledby={heading}>
      <h2 id={heading} tabIndex={-1} className={styles.heading}>
        {texts.heading}
      </h2>
      <p className="muted small">{texts.text}</p>
      {isOpen ? (
        <Versions id={id} />
      ) : (
        <p>
          <button type="button" className="button button--small" onClick={onOpen}>
            {texts.show}
          </button>
        </p>
      )}
    </section>
  );
}

function Versions({ id }: { readonly id: string }) {
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(
    {
      queryKey: [...adminKey, 'pollVersions', id],
      queryFn: ({ pageParam, signal }) =>
        callAdmin('pollVersions', { params: { id }, query: pageParam === 0 ? {} : { before: pageParam }, signal }),
      initialPageParam: 0,
      getNextPageParam: ({ versions, more }) => (more ? versions.at(-1)?.number : undefined),
    },
    queryClient(),
  );
  if (error !== null) return <p role="alert">{adminErrorMessage(error)}</p>;
  if (data === undefined) return <p className="muted">{adminTexts.loading}</p>;
  const versions = data.pages.flatMap((page) => page.versions);
  if (versions.length === 0) return <p className="muted">{texts.none}</p>;
  return (
    <>
      <ol className={styles.versions} reversed>
        {versions.map(({ number, at, by, before, after }) => (
          <li key={number} className={styles.version}>
            <p className="small">
              <strong>{by ?? texts.import}</strong> <time dateTime={at}>{formatMoment(at)}</time>
              {number === 1 && <span className="muted"> {texts.first}</span>}
            </p>
            <FieldDiffs before={before} after={after} />
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <p>
          <button
            type="button"
            className="button button--small"
            aria-disabled={isFetching}
            onClick={() => isFetching || void fetchNextPage()}
          >
            {texts.more}
          </button>
        </p>
      )}
    </>
  );
}
