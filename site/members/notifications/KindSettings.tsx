import { useMutation } from '@tanstack/react-query';
import type { NotificationPage } from '#api/members/notifications/notifications.contract.ts';
import { mutableKinds } from '#contract/vocabulary.ts';
import type { MutableKind } from '#contract/vocabulary.ts';
import { callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient, queryKeys, updateCached } from '#site/client/query-client.ts';
import { PageSection } from '#site/ui/PageSection.tsx';
import { dismissFailure, toast } from '#site/ui/toasts.ts';
import { accountFailureTexts } from '#texts/accounts.ts';
import { notificationTexts } from '#texts/notifications.ts';
import styles from './Notifications.module.css';

const texts = notificationTexts.settings;

/** What the member is notified of; each choice is saved immediately. */
export function KindSettings({ muted }: { readonly muted: readonly MutableKind[] }) {
  const { mutate, variables, isPending } = useMutation(
    {
      mutationFn: (body: { readonly topic: MutableKind; readonly muted: boolean }) =>
        callApi('muteNotifications', { body }),
      onSuccess: (_, { topic, muted: off }) =>
        updateCached<NotificationPage>(
          queryKeys.notifications,
          (data) => ({ ...data, muted: [...data.muted.filter((one) => one !== topic), ...(off ? [topic] : [])] }),
          true,
        ),
      onMutate: dismissFailure,
      onError: (error: Error) =>
        toast({ title: texts.failed, text: failureSentence(error, accountFailureTexts.unknown), destructive: true }),
    },
    queryClient(),
  );
  // While a choice is being saved, it is shown as chosen.
  const isOn = (kind: MutableKind) =>
    isPending && variables.topic === kind ? !variables.muted : !muted.includes(kind);

  return (
    <PageSection heading={texts.heading} text={texts.text}>
      <ul>
        {mutableKinds.map((kind) => (
          <li key={kind}>
            <label className={styles.kind}>
              <input
                type="checkbox"
                checked={isOn(kind)}
                onChange={({ target }) => isPending || mutate({ topic: kind, muted: !target.checked })}
              />
              {texts.kinds[kind]}
            </label>
          </li>
        ))}
      </ul>
    </PageSection>
  );
}
