import { useQuery } from '@tanstack/react-query';
import type { ResponseOf } from '#contract/endpoints.ts';
import { queryClient } from '#site/client/query-client.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { burstTexts as texts } from '#texts/admin.ts';
import styles from '#site/admin/Admin.module.css';
import { adminKey, callAdmin } from '#site/admin/admin-session.ts';
import { AdminSection, Loaded } from '#site/admin/AdminSection.tsx';

type Burst = ResponseOf<'voteBursts'>['polls'][number];

/** Polls that got far more votes than usual within a few minutes. */
export function VoteBursts() {
  const query = useQuery(
    { queryKey: [...adminKey, 'bursts'], queryFn: ({ signal }) => callAdmin('voteBursts', { signal }) },
    queryClient(),
  );
  return (
    <AdminSection anchor="bursts" heading={texts.heading} text={texts.text}>
      <Loaded query={query}>
        {({ polls, minutes, since }) => (
          <>
            {polls.length === 0 ? (
              <p className="muted">{texts.none}</p>
            ) : (
              <ul className={styles.list}>
                {polls.map((poll) => (
                  <li key={poll.id} className={styles.entry}>
                    <Entry poll={poll} minutes={minutes} />
                  </li>
                ))}
              </ul>
            )}
            <p className="muted small">
              {texts.since} <RelativeTime moment={since} />
            </p>
          </>
        )}
      </Loaded>
    </AdminSection>
  );
}

function Entry({ poll, minutes }: { readonly poll: Burst; readonly minutes: number }) {
  const { id, kind, question, startsAt, votes, usual } = poll;
  return (
    <div className={styles.comment}>
      <p className={styles.content}>
        {question === null ? (
          texts.private
        ) : (
          <a href={`/${kind === 'poll' ? 'poll' : 'community-polls'}/${id}`} dir="auto">
            {question}
          </a>
        )}
      </p>
      <p className="muted small">
        {texts.votes(votes, minutes)}, {usual === null ? texts.noUsual : texts.usual(usual)},{' '}
        <RelativeTime moment={startsAt} />
      </p>
    </div>
  );
}
