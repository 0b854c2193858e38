import { useMutation } from '@tanstack/react-query';
import type { NotificationPage } from '#api/members/notifications/notifications.contract.ts';
import { digestPeriods } from '#contract/vocabulary.ts';
import type { DigestPeriod } from '#contract/vocabulary.ts';
import { callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient, queryKeys, updateCached } from '#site/client/query-client.ts';
import { PageSection } from '#site/ui/PageSection.tsx';
import { dismissFailure, toast } from '#site/ui/toasts.ts';
import { accountFailureTexts } from '#texts/accounts.ts';
import { notificationTexts } from '#texts/notifications.ts';
import styles from './Notifications.module.css';

const texts = notificationTexts.digest;

/** How often the member gets unread notifications by email; a choice is saved immediately. */
export function DigestSettings({ digest, to }: { readonly digest: DigestPeriod; readonly to: string }) {
  const { mutate, variables, isPending } = useMutation(
    {
      mutationFn: (every: DigestPeriod) => callApi('setDigest', { body: { every } }),
      onSuccess: (_, every) =>
        updateCached<NotificationPage>(queryKeys.notifications, (data) => ({ ...data, digest: every }), true),
      onMutate: dismissFailure,
      onError: (error: Error) =>
        toast({ title: texts.failed, text: failureSentence(error, accountFailureTexts.unknown), destructive: true }),
    },
    queryClient(),
  );
  // While a choice is being saved, it is shown as chosen.
  const chosen = isPending ? variables : digest;
  return (
    <PageSection heading={texts.heading} text={texts.text(to)}>
      <ul>
        {digestPeriods.map((every) => (
          <li key={every}>
            <label className={styles.kind}>
              <input
                type="radio"
                name="digest"
                checked={chosen === every}
                onChange={() => isPending || mutate(every)}
              />
              {texts.periods[every]}
            </label>
          </li>
        ))}
      </ul>
    </PageSection>
  );
}
