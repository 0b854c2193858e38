import { useState } from 'react';
import type { WebhookDelivery } from '#api/admin/webhooks/webhooks.contract.ts';
import styles from '#site/admin/Admin.module.css';
import { callAdmin } from '#site/admin/admin-session.ts';
import { ActionButton, AdminList, ListRow, useAdminQuery } from '#site/admin/AdminList.tsx';
import { formatMoment } from '#site/ui/format.ts';
import { deliveryTexts as texts, webhookTexts } from '#texts/webhooks.ts';

/** Milliseconds between two requests while something is to be sent soon, and otherwise. */
const refetchMs = { soon: 2_000, later: 30_000 };

const isDueSoon = ({ state, attempts }: WebhookDelivery) => state === 'waiting' && attempts === 0;

/** What was sent to a webhook, newest first, with the answers. */
export function Deliveries({ webhookId, host }: { readonly webhookId: string; readonly host: string }) {
  const [page, setPage] = useState(1);
  const query = useAdminQuery('webhookDeliveries', {
    params: { id: webhookId },
    query: { page },
    refetch: (data) => (data?.deliveries.some(isDueSoon) ? refetchMs.soon : refetchMs.later),
  });
  return (
    <div className={styles.outcome}>
      <h4>{texts.heading(host)}</h4>
      <p className="muted small">{texts.kept}</p>
      <AdminList
        query={query}
        rows={({ deliveries }) => deliveries}
        empty={texts.none}
        row={(delivery) => <Entry webhookId={webhookId} delivery={delivery} />}
        paging={({ pages }) => ({ label: texts.pages, page, pages, onPage: setPage })}
      />
    </div>
  );
}

function Entry({ webhookId, delivery }: { readonly webhookId: string; readonly delivery: WebhookDelivery }) {
  const { id, type, state, createdAt, attempts, nextAttemptAt, status, milliseconds, answer } = delivery;
  const facts = [
    ...(status === null ? [] : [texts.status(status)]),
    ...(milliseconds === null ? [] : [texts.took(milliseconds)]),
    ...(attempts > 0 ? [texts.attempts(attempts)] : []),
    ...(nextAttemptAt !== null && attempts > 0 ? [texts.next(formatMoment(nextAttemptAt))] : []),
  ];
  const again = state !== 'waiting' && (
    <ActionButton
      label={texts.again}
      name={texts.againName(texts.event(type), formatMoment(createdAt))}
      act={async () => {
        await callAdmin('resendDelivery', { params: { id: webhookId, delivery: String(id) } });
        return webhookTexts.resent;
      }}
    />
  );
  return (
    <ListRow actions={again}>
      <p>
        <span className={`tag ${state === 'failed' ? styles.failedTag : ''}`}>{texts.states[state]}</span>{' '}
        <b>{texts.event(type)}</b>, <time dateTime={createdAt}>{formatMoment(createdAt)}</time>
      </p>
      {facts.length > 0 && <p className="muted small">{facts.join(', ')}</p>}
      {answer !== null && answer !== '' && <p className={styles.error}>{answer}</p>}
    </ListRow>
  );
}
