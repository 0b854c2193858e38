import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ResponseOf } from '#contract/endpoints.ts';
import type { WebhookDelivery } from '#contract/webhook.ts';
import styles from '#site/admin/Admin.module.css';
import listStyles from '#site/admin/AdminLists.module.css';
import { adminKey, callAdmin, refreshAdmin, useAdminMutation } from '#site/admin/admin-session.ts';
import { Loaded, Pagination } from '#site/admin/AdminSection.tsx';
import { queryClient } from '#site/client/query-client.ts';
import { formatMoment } from '#site/ui/format.ts';
import { toast } from '#site/ui/toasts.ts';
import { deliveryTexts as texts, webhookTexts } from '#texts/webhooks.ts';

/** Milliseconds between two requests while something is to be sent soon, and otherwise. */
const refetchMs = { soon: 2_000, later: 30_000 };

const isDueSoon = ({ deliveries }: ResponseOf<'webhookDeliveries'>) =>
  deliveries.some(({ state, attempts }) => state === 'waiting' && attempts === 0);

/** What was sent to a webhook, newest first, with the answers. */
export function Deliveries({ webhookId, host }: { readonly webhookId: string; readonly host: string }) {
  const [page, setPage] = useState(1);
  const query = useQuery(
    {
      queryKey: [...adminKey, 'webhooks', webhookId, page],
      queryFn: ({ signal }) => callAdmin('webhookDeliveries', { params: { id: webhookId }, query: { page }, signal }),
      refetchInterval: ({ state }) => (state.data && isDueSoon(state.data) ? refetchMs.soon : refetchMs.later),
      placeholderData: keepPreviousData,
    },
    queryClient(),
  );
  const again = useAdminMutation(
    (delivery: number) => callAdmin('resendDelivery', { params: { id: webhookId, delivery: String(delivery) } }),
    () => {
      toast(webhookTexts.resent);
      return refreshAdmin();
    },
  );
  return (
    <div className={styles.outcome}>
      <h4>{texts.heading(host)}</h4>
      <p className="muted small">{texts.kept}</p>
      <Loaded query={query}>
        {({ deliveries, pages }) => (
          <>
            {deliveries.length === 0 && <p className="muted">{texts.none}</p>}
            <ul className={styles.list}>
              {deliveries.map((delivery) => (
                <Entry
                  key={delivery.id}
                  delivery={delivery}
                  onAgain={() => again.isPending || again.mutate(delivery.id)}
                />
              ))}
            </ul>
            <Pagination label={texts.pages} page={page} pages={pages} onPage={setPage} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function Entry({ delivery, onAgain }: { readonly delivery: WebhookDelivery; readonly onAgain: () => void }) {
  const { type, state, createdAt, attempts, nextAttemptAt, status, milliseconds, answer } = delivery;
  const facts = [
    ...(status === null ? [] : [texts.status(status)]),
    ...(milliseconds === null ? [] : [texts.took(milliseconds)]),
    ...(attempts > 0 ? [texts.attempts(attempts)] : []),
    ...(nextAttemptAt !== null && attempts > 0 ? [texts.next(formatMoment(nextAttemptAt))] : []),
  ];
  return (
    <li className={styles.entry}>
      <div className={listStyles.record}>
        <p>
          <span className={`tag ${state === 'failed' ? styles.failedTag : ''}`}>{texts.states[state]}</span>{' '}
          <b>{texts.event(type)}</b>, <time dateTime={createdAt}>{formatMoment(createdAt)}</time>
        </p>
        {facts.length > 0 && <p className="muted small">{facts.join(', ')}</p>}
        {answer !== null && answer !== '' && <p className={styles.error}>{answer}</p>}
      </div>
      {state !== 'waiting' && (
        <button
          type="button"
          className="button button--small"
          aria-label={texts.againName(texts.event(type), formatMoment(createdAt))}
          onClick={onAgain}
        >
          {texts.again}
        </button>
      )}
    </li>
  );
}
