import { useMutation, useQuery } from '@tanstack/react-query';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { PollProtection } from '#contract/vocabulary.ts';
import { callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { ConfirmDialog } from '#site/ui/Dialog.tsx';
import type { ActionDialogProps } from '#site/ui/Dialog.tsx';
import { FlaggedVotes } from '#site/ui/FlaggedVotes.tsx';
import { toast } from '#site/ui/toasts.ts';
import { SideBox } from '#site/ui/SideBox.tsx';
import { ownFlagTexts as texts } from '#texts/flags.ts';
import { protectionNames } from '#texts/protection.ts';
import styles from './CreatorTools.module.css';
import { setPollInCache } from '#site/polls/voting/shown-polls.ts';
import { sharedWithOthers } from '#site/polls/voting/use-poll.ts';

const keyOf = (pollId: string) => ['ownFlags', pollId];

/** For the creator: flagged votes of the poll, the evidence, and what to do with them. Nothing without any. */
export function OwnFlags({ pollId }: { readonly pollId: string }) {
  const params = { id: pollId };
  const { data } = useQuery(
    {
      queryKey: keyOf(pollId),
      queryFn: ({ signal }) => callApi('ownFlags', { params, signal }),
      // The detector notices votes while the creator reads the page.
      ...sharedWithOthers,
    },
    queryClient(),
  );
  if (data === undefined || data.flags.length + data.decisions.length === 0) return null;
  const refreshed = async <T,>(call: Promise<T>) => {
    const answer = await call;
    for (const queryKey of [keyOf(pollId), queryKeys.poll(pollId)]) await queryClient().invalidateQueries({ queryKey });
    return answer;
  };
  return (
    <SideBox heading={texts.heading} note={texts.note}>
      {data.flags.length > 0 && data.nextProtection !== null && <Raise pollId={pollId} to={data.nextProtection} />}
      <FlaggedVotes
        shown={data}
        decideFlag={(body) => refreshed(callApi('decideOwnFlag', { params, body }))}
        decideVotes={(number, body) => refreshed(callApi('decideOwnVotes', { params: { ...params, number }, body }))}
        Dialog={OwnDialog}
      />
    </SideBox>
  );
}

/** Asks before an action, and shows why it failed. */
function OwnDialog({ action, ...shown }: ActionDialogProps) {
  const { mutate, isPending, error } = useMutation(
    {
      mutationFn: action,
      onSuccess: (message) => {
        toast(message);
        shown.onClose();
      },
    },
    queryClient(),
  );
  const problem = error && failureSentence(error, texts.failed);
  return <ConfirmDialog {...shown} {...{ pending: isPending, problem }} onConfirm={() => mutate()} />;
}

interface RaiseProps {
  readonly pollId: string;
  readonly to: PollProtection;
}

/** Requires more of the votes from now on. */
function Raise({ pollId, to }: RaiseProps) {
  const { mutate, isPending, error } = useMutation<CommunityPoll>(
    {
      mutationFn: () => callApi('editCommunityPoll', { params: { id: pollId }, body: { protection: to } }),
      onSuccess: async (poll) => {
        await setPollInCache(poll);
        await queryClient().invalidateQueries({ queryKey: keyOf(pollId) });
      },
    },
    queryClient(),
  );
  return (
    <>
      <p className="muted small">{texts.raiseNote}</p>
      <div className={styles.buttons}>
        <button type="button" className="button" aria-disabled={isPending} onClick={() => isPending || mutate()}>
          {texts.raise(protectionNames[to])}
        </button>
      </div>
      {error && (
        <p className="muted small" role="alert">
          {failureSentence(error, texts.failed)}
        </p>
      )}
    </>
  );
}
