import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { CommunityPoll } from '#contract/community-poll.ts';
import { callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { ConfirmDialog } from '#site/ui/Dialog.tsx';
import { toast } from '#site/ui/toasts.ts';
import { communityPollTexts } from '#texts/community-poll.ts';
import styles from './CommunityPoll.module.css';
import { isClosed } from './use-community-poll.ts';
import { adopt } from './use-community-vote.ts';

const texts = communityPollTexts.tools;

interface CommunityPollToolsProps {
  readonly poll: CommunityPoll;
  /** The poll is deleted: its page is to be left. */
  readonly onDeleted: () => void;
}

/** What only the creator may do: close early, delete. Both are asked about first. */
export function CommunityPollTools({ poll, onDeleted }: CommunityPollToolsProps) {
  const [asked, setAsked] = useState<'close' | 'delete' | null>(null);
  const close = useClosePoll(poll.id, () => setAsked(null));
  const remove = useDeletePoll(poll.id, onDeleted);
  const id = useId();
  const asleep = !useHydrated();
  const deed = asked === 'delete' ? remove : close;
  return (
    <section className={styles.box} aria-labelledby={id}>
      <h2 id={id} className={styles.boxHeading}>
        {texts.heading}
      </h2>
      <div className={styles.buttons}>
        {!isClosed(poll) && (
          <button type="button" className="button" disabled={asleep} onClick={() => setAsked('close')}>
            {texts.close}
          </button>
        )}
        <button type="button" className="button button--danger" disabled={asleep} onClick={() => setAsked('delete')}>
          {texts.delete}
        </button>
      </div>
      {asked !== null && (
        <ConfirmDialog
          title={asked === 'close' ? texts.closeTitle : texts.deleteTitle}
          text={asked === 'close' ? texts.closeText : texts.deleteText}
          confirm={deed.pending ? texts.pending : asked === 'close' ? texts.closeConfirm : texts.deleteConfirm}
          cancel={texts.cancel}
          pending={deed.pending}
          dangerous={asked === 'delete'}
          problem={deed.problem}
          onConfirm={deed.run}
          onClose={() => {
            deed.reset();
            setAsked(null);
          }}
        />
      )}
    </section>
  );
}

/** Something that the creator does with the own poll. */
interface Deed {
  readonly run: () => void;
  readonly pending: boolean;
  readonly problem: string | null;
  /** Forgets the problem. */
  readonly reset: () => void;
}

/** Closes the own poll before its end. */
function useClosePoll(pollId: string, onDone: () => void): Deed {
  const { mutate, reset, isPending, error } = useMutation<CommunityPoll>(
    {
      mutationFn: () => callApi('closeCommunityPoll', { params: { id: pollId } }),
      onSuccess: async (closed) => {
        await adopt(closed);
        onDone();
        toast({ title: communityPollTexts.toasts.closed, text: communityPollTexts.toasts.closedText });
      },
    },
    queryClient(),
  );
  return {
    run: () => mutate(),
    pending: isPending,
    problem: error && failureSentence(error, communityPollTexts.tools.failed),
    reset,
  };
}

/** Deletes the own poll; `onDone` leaves its page. */
function useDeletePoll(pollId: string, onDone: () => void): Deed {
  const { mutate, reset, isPending, isSuccess, error } = useMutation(
    {
      mutationFn: () => callApi('deleteCommunityPoll', { params: { id: pollId } }),
      onSuccess: onDone,
    },
    queryClient(),
  );
  return {
    run: () => mutate(),
    // Pending until the page is left.
    pending: isPending || isSuccess,
    problem: error && failureSentence(error, communityPollTexts.tools.failed),
    reset,
  };
}
