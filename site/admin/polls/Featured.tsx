import { useQuery } from '@tanstack/react-query';
import { callApi } from '#site/client/api.ts';
import { queryClient } from '#site/client/query-client.ts';
import { moderationTexts as texts } from '#texts/admin.ts';
import styles from '#site/admin/Admin.module.css';
import { adminKey, callAdmin } from '#site/admin/admin-session.ts';
import { AdminForm } from '#site/admin/AdminForm.tsx';
import { ActionButton, AdminList, ListRow } from '#site/admin/AdminList.tsx';
import { AdminSection } from '#site/admin/AdminSection.tsx';
import { pollIdIn } from '#site/admin/poll-id-in.ts';

const feature = (id: string, featured: boolean) =>
  callAdmin('featureCommunityPoll', { params: { id }, body: { featured } });

/** Community polls that are listed above the others. */
export function Featured() {
  const query = useQuery(
    { queryKey: [...adminKey, 'featured'], queryFn: ({ signal }) => callApi('featuredCommunityPolls', { signal }) },
    queryClient(),
  );
  return (
    <AdminSection anchor="featured" heading={texts.featured} text={texts.featuredText}>
      <AdminList
        query={query}
        rows={(polls) => polls}
        empty={texts.noFeatured}
        row={({ id, question }) => (
          <ListRow
            actions={
              <ActionButton
                label={texts.unfeature}
                name={texts.unfeatureName(question)}
                act={async () => {
                  await feature(id, false);
                  await query.refetch();
                }}
              />
            }
          >
            <a href={`/community-polls/${id}`} dir="auto">
              {question}
            </a>
          </ListRow>
        )}
      />
      <AdminForm
        resets
        className={styles.feature}
        fields={[
          {
            ...{ name: 'address', label: texts.address, hint: texts.addressHint, required: texts.noAddress },
            wrong: (typed) => (pollIdIn(typed, 'community-polls') === null ? texts.noAddress : undefined),
            input: { autoComplete: 'off', spellCheck: false },
          },
        ]}
        submit={texts.feature}
        send={async (field) => {
          await feature(pollIdIn(field('address'), 'community-polls') ?? '', true);
          await query.refetch();
        }}
      />
    </AdminSection>
  );
}
