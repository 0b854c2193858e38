import { useQuery } from '@tanstack/react-query';
import type { ResponseOf } from '#contract/endpoints.ts';
import { queryClient } from '#site/client/query-client.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { moderationTexts as texts } from '#texts/admin.ts';
import styles from './Admin.module.css';
import { callAdmin } from './admin-session.ts';
import { AdminSection } from './AdminSection.tsx';
import { Loaded } from './Loaded.tsx';
import { pagePathOf } from './page-path.ts';
import { useDeed } from './use-deed.ts';

type Reported = ResponseOf<'reportedComments'>['comments'][number];

/** Comments that readers told the operator about. */
export function Reports() {
  const query = useQuery(
    { queryKey: ['admin', 'reports'], queryFn: ({ signal }) => callAdmin('reportedComments', { signal }) },
    queryClient(),
  );
  const { pending, run } = useDeed();
  const toggle = ({ id, hidden }: Reported) =>
    run(id, async () => {
      await callAdmin('hideComment', { params: { commentId: id }, body: { hidden: !hidden } });
      await query.refetch();
    });
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
                    <button
                      type="button"
                      className="button button--small"
                      aria-disabled={pending !== null}
                      aria-label={(comment.hidden ? texts.showName : texts.hideName)(comment.author)}
                      onClick={() => void toggle(comment)}
                    >
                      {comment.hidden ? texts.show : texts.hide}
                    </button>
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

function Comment({ pollId, question, author, content, hidden, reports, reportedAt, reasons }: Reported) {
  return (
    <div className={styles.comment}>
      <p dir="auto" className={styles.content}>
        {content}
      </p>
      <p className="muted small">
        {hidden && <span className="tag">{texts.hidden}</span>} <bdi>{texts.by(author)}</bdi> {texts.on}{' '}
        <a href={pagePathOf(pollId)}>
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
          {reasons.map((reason, place) => (
            <li key={place} dir="auto">
              {reason}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
