import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { NotificationPage } from '#api/members/notifications/notifications.contract.ts';
import { callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient, queryKeys, updateCached } from '#site/client/query-client.ts';
import { formatDay } from '#site/ui/format.ts';
import { PageSection } from '#site/ui/PageSection.tsx';
import { ShownOnce } from '#site/ui/ShownOnce.tsx';
import { dismissFailure, toast } from '#site/ui/toasts.ts';
import { accountFailureTexts } from '#texts/accounts.ts';
import { notificationTexts } from '#texts/notifications.ts';

const texts = notificationTexts.feed;

/** The personal feed: creating, replacing, and deleting its secret address, which is shown once. */
export function FeedSettings({ createdAt }: { readonly createdAt: string | null }) {
  const [address, setAddress] = useState<string | null>(null);
  const { mutate, isPending } = useMutation(
    {
      mutationFn: async (action: 'create' | 'revoke') =>
        action === 'create' ? (await callApi('createNotificationFeed')).path : callApi('deleteNotificationFeed'),
      async onSuccess(path) {
        const created = typeof path === 'string';
        setAddress(created ? new URL(path, location.origin).href : null);
        if (!created) toast(texts.revoked);
        const feedCreatedAt = created ? new Date().toISOString() : null;
        await updateCached<NotificationPage>(queryKeys.notifications, (data) => ({ ...data, feedCreatedAt }), true);
      },
      onMutate: dismissFailure,
      onError: (error: Error) =>
        toast({ title: texts.failed, text: failureSentence(error, accountFailureTexts.unknown), destructive: true }),
    },
    queryClient(),
  );
  const act = (action: 'create' | 'revoke') => isPending || mutate(action);

  return (
    <PageSection heading={texts.heading} text={texts.text}>
      <div className="stack">
        {address !== null ? (
          <ShownOnce key={address} url={address} label={texts.label}>
            {texts.once}
          </ShownOnce>
        ) : (
          createdAt !== null && <p>{texts.existing(formatDay(createdAt))}</p>
        )}
        <div className="row">
          <button type="button" className="button" aria-disabled={isPending} onClick={() => act('create')}>
            {createdAt === null ? texts.create : texts.replace}
          </button>
          {createdAt !== null && (
            <button type="button" className="button" aria-disabled={isPending} onClick={() => act('revoke')}>
              {texts.revoke}
            </button>
          )}
        </div>
      </div>
    </PageSection>
  );
}
