import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { CommunityPoll, WaitingAnswer } from '#api/polls/community/community-polls.contract.ts';
import { callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { ConfirmDialog } from '#site/ui/Dialog.tsx';
import { Field } from '#site/ui/Field.tsx';
import { formatCount } from '#site/ui/format.ts';
import { SideBox } from '#site/ui/SideBox.tsx';
import { toast } from '#site/ui/toasts.ts';
import { sharedWithOthers } from '#site/polls/voting/use-poll.ts';
import { reviewTexts as texts } from '#texts/write-ins.ts';
import styles from './CreatorTools.module.css';

const actions = ['approve', 'merge', 'reject'] as const;
type Action = (typeof actions)[number];

const keyOf = (pollId: string) => ['writtenAnswers', pollId];

/** For the creator: the answers that voters wrote and that wait, each to add, to count as an option, or to reject. Nothing without any. */
export function WrittenAnswers({ poll }: { readonly poll: CommunityPoll }) {
  const [asked, ask] = useState<{ readonly answer: WaitingAnswer; readonly action: Action } | null>(null);
  const { data = [] } = useQuery(
    {
      queryKey: keyOf(poll.id),
      queryFn: ({ signal }) => callApi('waitingAnswers', { params: { id: poll.id }, signal }),
      enabled: poll.writeIns === true,
      ...sharedWithOthers,
    },
    queryClient(),
  );
  if (data.length === 0) return null;
  return (
    <SideBox heading={texts.heading} note={texts.note}>
      <ul className={styles.answers}>
        {data.map((answer) => (
          <li key={answer.id}>
            <strong dir="auto">{answer.text}</strong>
            <span className="muted small">{texts.votes(answer.votes, formatCount(answer.votes))}</span>
            <span className={styles.buttons}>
              {actions.map((action) => (
                <button
                  key={action}
                  type="button"
                  className={`button button--small ${action === 'reject' ? 'button--danger' : ''}`}
                  aria-label={texts.labels[action](answer.text)}
                  onClick={() => ask({ answer, action })}
                >
                  {texts.actions[action]}
                </button>
              ))}
            </span>
          </li>
        ))}
      </ul>
      {asked && <ReviewDialog {...asked} poll={poll} onClose={() => ask(null)} />}
    </SideBox>
  );
}

interface ReviewDialogProps {
  readonly poll: CommunityPoll;
  readonly answer: WaitingAnswer;
  readonly action: Action;
  readonly onClose: () => void;
}

/** Asks before an answer is decided about. */
function ReviewDialog({ poll, answer, action, onClose }: ReviewDialogProps) {
  const id = useId();
  const [into, setInto] = useState(poll.options[0]!.id);
  const { mutate, isPending, error } = useMutation(
    {
      mutationFn: () =>
        callApi('reviewAnswer', {
          params: { id: poll.id, answer: answer.id },
          body: { action, ...(action === 'merge' && { into }) },
        }),
      onSuccess: () => {
        onClose();
        toast({ title: texts.done[action] });
      },
      // Also of one that was reviewed in another window.
      onSettled: async () => {
        for (const queryKey of [keyOf(poll.id), queryKeys.poll(poll.id)])
          await queryClient().invalidateQueries({ queryKey });
      },
    },
    queryClient(),
  );
  return (
    <ConfirmDialog
      title={texts.titles[action]}
      text={texts.texts[action]}
      confirm={isPending ? texts.pending : texts.confirm[action]}
      cancel={texts.cancel}
      pending={isPending}
      dangerous={action === 'reject'}
      problem={error && failureSentence(error, texts.failed)}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <p dir="auto">
        <strong>{answer.text}</strong>
      </p>
      {action === 'merge' && (
        <Field id={`${id}-into`} label={texts.into}>
          {(control) => (
            <select {...control} className="input" value={into} onChange={({ target }) => setInto(target.value)}>
              {poll.options.map(({ id: option, text }) => (
                <option key={option} value={option}>
                  {text}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </ConfirmDialog>
  );
}
