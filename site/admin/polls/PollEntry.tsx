import type { MouseEvent } from 'react';
import type { ManagedPoll } from '#api/polls/managing.contract.ts';
import { categoryLabel } from '#domain/poll-results.ts';
import { useAllowed } from '#site/admin/admin-session.ts';
import { ListRow } from '#site/admin/AdminList.tsx';
import styles from '#site/admin/Admin.module.css';
import { setAddress } from '#site/admin/use-address.ts';
import { isPlainPress } from '#site/client/plain-press.ts';
import { formatMoment } from '#site/ui/format.ts';
import { insightTexts } from '#texts/insights.ts';
import { pollListTexts as texts, pollStateTexts } from '#texts/poll-editor.ts';
import { previewPath } from './preview-path.ts';

/** A poll of the list, with links to its preview and page, and to its editor for those who may edit it. */
export function PollEntry({ poll }: { readonly poll: ManagedPoll }) {
  const mayEdit = useAllowed('editor');
  const { id, state, previewToken } = poll;
  const question = poll.question === '' ? texts.untitled : poll.question;
  const linkTo = (address: Readonly<Record<string, string>>) => ({
    href: `/admin/polls?${new URLSearchParams(address)}`,
    onClick: (event: MouseEvent) => {
      if (!isPlainPress(event)) return;
      event.preventDefault();
      setAddress(address);
    },
  });
  const edit = linkTo({ poll: id });
  return (
    <ListRow
      actions={
        <>
          {mayEdit && (
            <a className="button button--small" {...edit} aria-label={texts.editName(question)}>
              {texts.edit}
            </a>
          )}
          {previewToken !== null && (
            <a
              className="button button--small"
              href={previewPath({ id, previewToken })}
              target="_blank"
              rel="noreferrer"
              aria-label={texts.previewName(question)}
            >
              {texts.preview}
            </a>
          )}
          {state === 'open' && (
            <a className="button button--small" href={`/poll/${id}/screen`} aria-label={texts.screenName(question)}>
              {texts.screen}
            </a>
          )}
          {(state === 'open' || state === 'closed') && (
            <>
              <a className="button button--small" href={`/poll/${id}`} aria-label={texts.pageName(question)}>
                {texts.page}
              </a>
              <a
                className="button button--small"
                {...linkTo({ poll: id, view: 'insights' })}
                aria-label={insightTexts.ofPoll(question)}
              >
                {insightTexts.heading}
              </a>
            </>
          )}
        </>
      }
    >
      <p className={styles.title}>
        {mayEdit ? (
          <a {...edit} dir="auto">
            {question}
          </a>
        ) : (
          <bdi>{question}</bdi>
        )}
      </p>
      <Facts {...poll} />
    </ListRow>
  );
}

function Facts({
  id,
  state,
  totalVotes,
  votesHere,
  startsAt,
  endsAt,
  closedAt,
  category,
  demonstration,
  changes,
}: ManagedPoll) {
  const end = closedAt ?? endsAt;
  return (
    <>
      <p className={`small ${styles.marks}`}>
        <span className={`tag ${state === 'open' ? 'tag--solid' : ''}`.trim()}>{pollStateTexts[state]}</span>
        {state !== 'draft' && changes !== null && <span className="tag">{texts.unpublished}</span>}
        {state !== 'draft' && <span className="figure">{texts.votes(totalVotes, votesHere)}</span>}
        {category !== null && category !== '' && <bdi className="muted">{categoryLabel(category)}</bdi>}
        {demonstration && <span className="muted">{texts.demonstration}</span>}
      </p>
      <p className={`muted small ${styles.marks}`}>
        {startsAt === null && end === null ? (
          <span>{texts.noDates}</span>
        ) : (
          <span className={`figure ${styles.times}`}>
            {startsAt !== null && <time dateTime={startsAt}>{formatMoment(startsAt)}</time>} –{' '}
            {end !== null && <time dateTime={end}>{formatMoment(end)}</time>}
          </span>
        )}
        {changes !== null && (
          <span>
            {texts.saved(changes.by)}, <time dateTime={changes.at}>{formatMoment(changes.at)}</time>
          </span>
        )}
        <code className={styles.id}>{id}</code>
      </p>
    </>
  );
}
