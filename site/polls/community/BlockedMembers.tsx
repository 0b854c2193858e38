import { useMutation, useQuery } from '@tanstack/react-query';
import { callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { MemberName } from '#site/ui/MemberName.tsx';
import { SideBox } from '#site/ui/SideBox.tsx';
import { blockedTexts as texts } from '#texts/creator-tools.ts';
import styles from './CreatorTools.module.css';

/** The members whom the creator has blocked, each with a button to undo it; nothing if there are none. */
export function BlockedMembers({ pollId }: { readonly pollId: string }) {
  const client = queryClient();
  const queryKey = queryKeys.blocks(pollId);
  const { data = [] } = useQuery(
    {
      queryKey,
      queryFn: ({ signal }) => callApi('blocks', { params: { id: pollId }, signal }),
      refetchOnWindowFocus: 'always',
    },
    client,
  );
  const { mutate, isPending, error } = useMutation<unknown, Error, string>(
    {
      mutationFn: (userId) => callApi('unblock', { params: { id: pollId, userId } }),
      onSettled: () => client.invalidateQueries({ queryKey }),
    },
    client,
  );
  if (data.length === 0) return null;
  return (
    <SideBox heading={texts.heading} note={texts.note}>
      <ul className={styles.inviteList}>
        {data.map(({ userId, name, username }) => (
          <li key={userId} className={styles.inviteLine}>
            <span className={styles.inviteWho}>
              <MemberName member={{ name, username }} />
            </span>
            <button
              type="button"
              className="button button--small"
              aria-label={texts.unblockLabel(name)}
              aria-disabled={isPending}
              onClick={() => isPending || mutate(userId)}
            >
              {texts.unblock}
            </button>
          </li>
        ))}
      </ul>
      {error !== null && (
        <p className={styles.inviteProblem} role="alert">
          {failureSentence(error, texts.failed)}
        </p>
      )}
    </SideBox>
  );
}
