import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { Protection } from '#contract/vocabulary.ts';
import { callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { ConfirmDialog } from '#site/ui/Dialog.tsx';
import { keepToast } from '#site/ui/stored-toast.ts';
import { toast } from '#site/ui/toasts.ts';
import { SideBox } from '#site/ui/SideBox.tsx';
import { communityPath, isClosed } from '#site/polls/voting/ballot.ts';
import { communityPollTexts } from '#texts/community-poll.ts';
import { creatorToolsTexts as texts } from '#texts/creator-tools.ts';
import { clientRoutes } from '#api/client-routes.contract.ts';
import { routeUrl } from '#contract/route.ts';
import styles from './CreatorTools.module.css';
import { EditPoll } from './EditPoll.tsx';
import { setPollInCache } from '#site/polls/voting/shown-polls.ts';

interface CommunityPollToolsProps {
  readonly poll: CommunityPoll;
  /** The levels of protection that this site offers. */
  readonly protections: readonly Protection[];
}

/** The creator’s actions: edit, duplicate, download, and, each confirmed first, close early and delete. */
export function CommunityPollTools({ poll, protections }: CommunityPollToolsProps) {
  const [confirming, setConfirming] = useState<'close' | 'delete' | null>(null);
  const [editing, setEditing] = useState(false);
  const close = useClosePoll(poll.id, () => setConfirming(null));
  const remove = useDeletePoll(poll.id);
  const inactive = !useHydrated();
  const action = confirming === 'delete' ? remove : close;
  return (
    <SideBox heading={texts.heading}>
      {poll.takenDown === true && (
        <p className="muted small">
          {texts.takenDown} <a href="/profile/moderation">{texts.decisions}</a>
        </p>
      )}
      {editing && <EditPoll poll={poll} offered={protections} onDone={() => setEditing(false)} />}
      <div className={styles.buttons} hidden={editing}>
        <button type="button" className="button" disabled={inactive} onClick={() => setEditing(true)}>
          {texts.edit}
        </button>
        <a className="button" href={`${communityPath}/new?from=${poll.id}`}>
          {texts.duplicate}
        </a>
        <a className="button" href={routeUrl(clientRoutes.communityPollCsv, { id: poll.id })} download>
          {texts.csv}
        </a>
        {!isClosed(poll) && (
          <>
            <a className="button" href={`${communityPath}/${poll.id}/screen`}>
              {texts.screen}
            </a>
            <button type="button" className="button" disabled={inactive} onClick={() => setConfirming('close')}>
              {texts.close}
            </button>
          </>
        )}
        <button
          type="button"
          className="button button--danger"
          disabled={inactive}
          onClick={() => setConfirming('delete')}
        >
          {texts.delete}
        </button>
      </div>
      {confirming !== null && (
        <ConfirmDialog
          title={confirming === 'close' ? texts.closeTitle : texts.deleteTitle}
          text={
            confirming === 'delete'
              ? texts.deleteText
              : poll.resultVisibility === 'creator'
                ? texts.closeSecretText
                : texts.closeText
          }
          confirm={action.pending ? texts.pending : confirming === 'close' ? texts.closeConfirm : texts.deleteConfirm}
          cancel={texts.cancel}
          pending={action.pending}
          dangerous={confirming === 'delete'}
          problem={action.problem}
          onConfirm={action.run}
          onClose={() => {
            action.reset();
            setConfirming(null);
          }}
        />
      )}
    </SideBox>
  );
}

/** A confirmed action on the creator’s own poll. */
interface Action {
  readonly run: () => void;
  readonly pending: boolean;
  readonly problem: string | null;
  /** Clears the problem. */
  readonly reset: () => void;
}

/** Closes the poll before its end. */
function useClosePoll(pollId: string, onDone: () => void): Action {
  const { mutate, reset, isPending, error } = useMutation<CommunityPoll>(
    {
      mutationFn: () => callApi('closeCommunityPoll', { params: { id: pollId } }),
      onSuccess: async (closed) => {
        await setPollInCache(closed);
        onDone();
        toast({ title: communityPollTexts.toasts.closed, text: communityPollTexts.toasts.closedText });
      },
    },
    queryClient(),
  );
  return {
    run: () => mutate(),
    pending: isPending,
    problem: error && failureSentence(error, texts.failed),
    reset,
  };
}

/** Deletes the poll, and goes to the list, which says so. */
function useDeletePoll(pollId: string): Action {
  const { mutate, reset, isPending, isSuccess, error } = useMutation(
    {
      mutationFn: () => callApi('deleteCommunityPoll', { params: { id: pollId } }),
      onSuccess: () => {
        const { deleted: title, deletedText: text } = communityPollTexts.toasts;
        keepToast({ title, text });
        location.assign(communityPath);
      },
    },
    queryClient(),
  );
  return {
    run: () => mutate(),
    // Pending until the page is left.
    pending: isPending || isSuccess,
    problem: error && failureSentence(error, texts.failed),
    reset,
  };
}
