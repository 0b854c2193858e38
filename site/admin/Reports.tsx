import { useQuery } from '@tanstack/react-query';
import type { ResponseOf } from '#contract/endpoints.ts';
import * as limits from '#contract/limits.ts';
import { queryClient } from '#site/client/query-client.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { moderationTexts as texts } from '#texts/admin.ts';
import styles from './Admin.module.css';
import { adminKey, callAdmin, useAdminMutation } from './admin-session.ts';
import { AdminSection, Loaded } from './AdminSection.tsx';

type ReportedComment = ResponseOf<'reportedComments'>['comments'][number];

/** Comments that readers have reported. */
export function Reports() {
  const query = useQuery(
    { queryKey: [...adminKey, 'reports'], queryFn: ({ signal }) => callAdmin('reportedComments', { signal }) },
    queryClient(),
  );
  const { mutate, isPending } = useAdminMutation(
    ({ id, hidden, reason }: Pick<ReportedComment, 'id' | 'hidden'> & { reason: string }) =>
      callAdmin('hideComment', {
        params: { commentId: id },
        body: { hidden: !hidden, ...(reason !== '' && { reason }) },
      }),
    () => query.refetch(),
  );
  return (
    <AdminSection anchor="comments" heading={texts.reports} text={texts.reportsText}>
      <Loaded query={query}>
        {({ comments, total }) =>
          total === 0 ? (
            <p className="muted">{texts.noReports}</p>
          ) : (
            <>
              <ul className={styles.list}>
                {comments.map((comment) => (
                  <li key={comment.id} className={styles.entry}>
                    <Comment {...comment} />
                    <form
                      className="row"
                      onSubmit={(event) => {
                        event.preventDefault();
                        const reason = new FormData(event.currentTarget).get('reason');
                        if (!isPending) mutate({ ...comment, reason: typeof reason === 'string' ? reason : '' });
                      }}
                    >
                      {!comment.hidden && (
                        <input
                          className="input"
                          name="reason"
                          maxLength={limits.removalReason}
                          placeholder={texts.reason}
                          aria-label={texts.reasonFor(comment.author)}
                          autoComplete="off"
                          dir="auto"
                        />
                      )}
                      <button
                        type="submit"
                        className="button button--small"
                        aria-disabled={isPending}
                        aria-label={(comment.hidden ? texts.showName : texts.hideName)(comment.author)}
                      >
                        {comment.hidden ? texts.show : texts.hide}
                      </button>
                    </form>
                  </li>
                ))}
              </ul>
              {total > comments.length && <p className="muted small">{texts.more(total - comments.length)}</p>}
            </>
          )
        }
      </Loaded>
    </AdminSection>
  );
}

function Comment({ pollId, question, author, content, hidden, reports, reportedAt, reasons }: ReportedComment) {
  return (
    <div className={styles.comment}>
      <p dir="auto" className={styles.content}>
        {content}
      </p>
      <p className="muted small">
        {hidden && <span className="tag">{texts.hidden}</span>} <bdi>{texts.by(author)}</bdi> {texts.on}{' '}
        <a href={`/community-polls/${pollId}`}>
          <bdi>{question}</bdi>
        </a>
      </p>
      <p className="muted small">
        {texts.reported(reports)}, <RelativeTime moment={reportedAt} />
      </p>
      {reasons.length === 0 ? (
        <p className="muted small">{texts.noReasons}</p>
      ) : (
        <ul className={`small ${styles.reasons}`}>
          {reasons.map((reason, index) => (
            <li key={index} dir="auto">
              {reason}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
