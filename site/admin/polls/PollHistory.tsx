import { useInfiniteQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { contentFields } from '#api/polls/poll-editor.contract.ts';
import type { EditedPoll, PollVersion } from '#api/polls/poll-editor.contract.ts';
import { pick } from '#domain/field-changes.ts';
import { adminErrorMessage, adminKey, callAdmin } from '#site/admin/admin-session.ts';
import { ActionButton } from '#site/admin/AdminList.tsx';
import { queryClient } from '#site/client/query-client.ts';
import { formatMoment } from '#site/ui/format.ts';
import { adminTexts, versionTexts } from '#texts/admin.ts';
import { pollEditorTexts } from '#texts/poll-editor.ts';
import { FieldDiffs } from './FieldDiffs.tsx';
import styles from './PollEditor.module.css';

const { history: texts } = pollEditorTexts;

/** What was published of a poll over time, loaded when it is opened; an earlier version can be restored. */
export function PollHistory({ poll }: { readonly poll: EditedPoll }) {
  const heading = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={styles.history} aria-labelledby={heading}>
      <h2 id={heading} tabIndex={-1} className={styles.heading}>
        {texts.heading}
      </h2>
      <p className="muted small">{texts.text}</p>
      {isOpen ? (
        <Versions poll={poll} />
      ) : (
        <p>
          <button type="button" className="button button--small" onClick={() => setOpen(true)}>
            {texts.show}
          </button>
        </p>
      )}
    </section>
  );
}

function Versions({ poll }: { readonly poll: EditedPoll }) {
  const { id } = poll;
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
        {versions.map((version) => {
          const { number, at, by, before, after, restored } = version;
          return (
            <li key={number} className={styles.version}>
              <p className="small">
                <strong>{by ?? texts.import}</strong> <time dateTime={at}>{formatMoment(at)}</time>
                {number === 1 && <span className="muted"> {texts.first}</span>}
              </p>
              <FieldDiffs before={before} after={after} />
              {Object.keys(restored).length > 0 && <Restore poll={poll} version={version} />}
            </li>
          );
        })}
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

interface RestoreProps {
  readonly poll: EditedPoll;
  readonly version: PollVersion;
}

/** Restores a version, after showing what that would change in what is published. */
function Restore({ poll: { id, published, publishedAt }, version }: RestoreProps) {
  const { title, text, done } = texts.restoring;
  const { number: from, at, restored } = version;
  const fields = contentFields.filter((field) => field in restored);
  const isSame = published === null || fields.length === 0;
  return (
    <div>
      <ActionButton
        label={versionTexts.restore}
        name={versionTexts.restoreName(formatMoment(at))}
        ask={{
          ...{ title, text: text(formatMoment(at)), confirm: versionTexts.restore, cancel: pollEditorTexts.cancel },
          disabled: isSame,
          children: isSame ? (
            <p>{versionTexts.noDifference}</p>
          ) : (
            <FieldDiffs before={pick(published, fields)} after={restored} />
          ),
        }}
        act={async () => {
          await callAdmin('restorePoll', { params: { id }, body: { publishedAt: publishedAt ?? '', from } });
          return done;
        }}
      />
    </div>
  );
}
