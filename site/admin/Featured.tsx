import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { callApi } from '#site/client/api.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Field } from '#site/ui/Field.tsx';
import { moderationTexts as texts } from '#texts/admin.ts';
import styles from './Admin.module.css';
import { callAdmin } from './admin-session.ts';
import { AdminSection } from './AdminSection.tsx';
import { Loaded } from './Loaded.tsx';
import { pagePathOf, pollIdIn } from './page-path.ts';
import { useDeed } from './use-deed.ts';

/** Community polls that stand above the list. */
export function Featured() {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const { pending, run } = useDeed();
  const query = useQuery(
    { queryKey: ['admin', 'featured'], queryFn: ({ signal }) => callApi('featuredCommunityPolls', { signal }) },
    queryClient(),
  );
  const set = (pollId: string, featured: boolean, onDone?: () => void) =>
    run(pollId, async () => {
      await callAdmin('featureCommunityPoll', { params: { id: pollId }, body: { featured } });
      onDone?.();
      await query.refetch();
    });
  return (
    <AdminSection anchor="featured" heading={texts.featured} text={texts.featuredText}>
      <Loaded query={query}>
        {(polls) =>
          polls.length === 0 ? (
            <p className="muted">{texts.noFeatured}</p>
          ) : (
            <ul className={styles.list}>
              {polls.map(({ id: pollId, question }) => (
                <li key={pollId} className={styles.entry}>
                  <a href={pagePathOf(pollId)} dir="auto">
                    {question}
                  </a>
                  <button
                    type="button"
                    className="button button--small"
                    aria-disabled={pending !== null}
                    aria-label={texts.unfeatureName(question)}
                    onClick={() => void set(pollId, false)}
                  >
                    {texts.unfeature}
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <form
        className={styles.feature}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const typed = new FormData(form).get('address');
          const pollId = pollIdIn(typeof typed === 'string' ? typed : '');
          setProblem(pollId === null ? texts.noAddress : undefined);
          if (pollId !== null) void set(pollId, true, () => form.reset());
        }}
      >
        <Field id={id} label={texts.address} hint={texts.addressHint} problem={problem}>
          {(control) => <input {...control} className="input" name="address" autoComplete="off" spellCheck={false} />}
        </Field>
        <button type="submit" className="button" aria-disabled={pending !== null}>
          {texts.feature}
        </button>
      </form>
    </AdminSection>
  );
}
