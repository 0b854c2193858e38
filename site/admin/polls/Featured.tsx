import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { callApi } from '#site/client/api.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Field } from '#site/ui/Field.tsx';
import { moderationTexts as texts } from '#texts/admin.ts';
import styles from '#site/admin/Admin.module.css';
import { adminKey, callAdmin, useAdminMutation } from '#site/admin/admin-session.ts';
import { AdminSection, Loaded } from '#site/admin/AdminSection.tsx';

interface FeatureChange {
  readonly pollId: string;
  readonly featured: boolean;
  readonly form?: HTMLFormElement;
}

/** Community polls that are listed above the others. */
export function Featured() {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const query = useQuery(
    { queryKey: [...adminKey, 'featured'], queryFn: ({ signal }) => callApi('featuredCommunityPolls', { signal }) },
    queryClient(),
  );
  const { mutate, isPending } = useAdminMutation(
    async ({ pollId, featured, form }: FeatureChange) => {
      await callAdmin('featureCommunityPoll', { params: { id: pollId }, body: { featured } });
      form?.reset();
    },
    () => query.refetch(),
  );
  const change = (to: FeatureChange) => isPending || mutate(to);
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
                  <a href={`/community-polls/${pollId}`} dir="auto">
                    {question}
                  </a>
                  <button
                    type="button"
                    className="button button--small"
                    aria-disabled={isPending}
                    aria-label={texts.unfeatureName(question)}
                    onClick={() => change({ pollId, featured: false })}
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
          const pollId = communityPollIdIn(typeof typed === 'string' ? typed : '');
          setProblem(pollId === null ? texts.noAddress : undefined);
          if (pollId !== null) change({ pollId, featured: true, form });
        }}
      >
        <Field id={id} label={texts.address} hint={texts.addressHint} problem={problem}>
          {(control) => <input {...control} className="input" name="address" autoComplete="off" spellCheck={false} />}
        </Field>
        <button type="submit" className="button" aria-disabled={isPending}>
          {texts.feature}
        </button>
      </form>
    </AdminSection>
  );
}

/** The id of a community poll in a typed URL, path, or bare id; null for anything else. */
export function communityPollIdIn(typed: string): string | null {
  const match = /^(?:\S*\/community-polls\/)?([\w-]{1,80})\/?(?:[?#]\S*)?$/.exec(typed.trim());
  return match?.[1] ?? null;
}
