import { useState } from 'react';
import type { BodyOf } from '#api/endpoints.contract.ts';
import { webhookEvents, webhookUrlLength } from '#api/admin/webhooks/webhooks.contract.ts';
import type { Webhook, WebhookEvent } from '#api/admin/webhooks/webhooks.contract.ts';
import styles from '#site/admin/Admin.module.css';
import { callAdmin } from '#site/admin/admin-session.ts';
import { FormDialog } from '#site/admin/AdminForm.tsx';
import { ActionButton, AdminList, useAdminQuery } from '#site/admin/AdminList.tsx';
import { AdminSection } from '#site/admin/AdminSection.tsx';
import { CopyLink } from '#site/ui/CopyLink.tsx';
import { Dialog, DialogActions } from '#site/ui/Dialog.tsx';
import { formatMoment } from '#site/ui/format.ts';
import type { ToastMessage } from '#site/ui/toasts.ts';
import { webhookEventTexts, webhookTexts as texts } from '#texts/webhooks.ts';
import { Deliveries } from './Deliveries.tsx';

/** The webhooks of the site: adding, changing, testing, and what was sent to them. */
export function Webhooks() {
  const query = useAdminQuery('webhooks');
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <AdminSection anchor="webhooks" heading={texts.heading} text={texts.text}>
      <AdminList
        query={query}
        rows={({ webhooks }) => webhooks}
        empty={texts.none}
        row={(webhook) => <Entry webhook={webhook} onSecret={setSecret} />}
      />
      <p>
        <button type="button" className="button" onClick={() => setAdding(true)}>
          {texts.add}
        </button>
      </p>
      <p className="muted small">{texts.help}</p>
      {adding && (
        <WebhookDialog
          webhook={null}
          onClose={() => setAdding(false)}
          send={async (body) => {
            setSecret((await callAdmin('createWebhook', { body })).secret);
            return texts.created;
          }}
        />
      )}
      {secret !== null && <Secret secret={secret} onClose={() => setSecret(null)} />}
    </AdminSection>
  );
}

interface WebhookDialogProps {
  /** The webhook to change; null: a new one. */
  readonly webhook: Webhook | null;
  readonly send: (body: BodyOf<'createWebhook'>) => Promise<ToastMessage>;
  readonly onClose: () => void;
}

/** The address and the events of a webhook. */
function WebhookDialog({ webhook, send, onClose }: WebhookDialogProps) {
  return (
    <FormDialog
      title={webhook === null ? texts.add : texts.of(texts.edit, new URL(webhook.url).host)}
      onClose={onClose}
      cancel={texts.cancel}
      fields={[
        {
          ...{ name: 'url', label: texts.url, hint: texts.urlHint, required: texts.noUrl, value: webhook?.url },
          input: { type: 'url', dir: 'ltr', maxLength: webhookUrlLength, autoComplete: 'off' },
        },
        {
          ...{ name: 'events', label: texts.events, required: texts.noEvents, checked: webhook?.events ?? [] },
          choices: webhookEvents.map((event) => [event, webhookEventTexts[event]]),
        },
      ]}
      refused="url"
      submit={webhook === null ? texts.create : texts.save}
      send={(field, all) => send({ url: field('url'), events: all('events') as WebhookEvent[] })}
    />
  );
}

interface EntryProps {
  readonly webhook: Webhook;
  readonly onSecret: (secret: string) => void;
}

/** One webhook with its state, its actions, and its deliveries. */
function Entry({ webhook, onSecret }: EntryProps) {
  const { id, url, events, pausedBy, failingSince, previousSecretUntil } = webhook;
  const [editing, setEditing] = useState(false);
  const [showsLog, setShowsLog] = useState(false);
  const host = new URL(url).host;
  const params = { id };
  const { cancel } = texts;
  const pause = pausedBy === null ? texts.pause : texts.resume;
  return (
    <li className={styles.stack}>
      <div className={styles.entry}>
        <div className={styles.record}>
          <h3>{host}</h3>
          <p className={`small ${styles.id}`}>{url}</p>
          <p className="small">{events.map((event) => webhookEventTexts[event]).join(', ')}</p>
        </div>
        <span className={`tag ${pausedBy === 'failures' ? styles.failedTag : ''}`}>
          {pausedBy === null ? texts.active : texts.paused[pausedBy]}
        </span>
      </div>
      {pausedBy !== null && <p className="muted small">{texts.pausedNote}</p>}
      {pausedBy === null && failingSince !== null && (
        <p className={styles.problem}>{texts.failing(formatMoment(failingSince))}</p>
      )}
      {previousSecretUntil !== null && (
        <p className="muted small">{texts.previousSecret(formatMoment(previousSecretUntil))}</p>
      )}
      <div className={styles.actions}>
        <ActionButton
          label={texts.test}
          name={texts.of(texts.test, host)}
          act={async () => {
            await callAdmin('testWebhook', { params });
            setShowsLog(true);
            return texts.tested;
          }}
        />
        <ActionButton
          label={pause}
          name={texts.of(pause, host)}
          act={async () => {
            const changed = await callAdmin('changeWebhook', { params, body: { paused: pausedBy === null } });
            return changed.pausedBy === null ? texts.resumed : texts.pausedNow;
          }}
        />
        <button
          type="button"
          className="button button--small"
          aria-label={texts.of(texts.edit, host)}
          onClick={() => setEditing(true)}
        >
          {texts.edit}
        </button>
        <ActionButton
          label={texts.rotate}
          name={texts.of(texts.rotate, host)}
          ask={{ cancel, title: texts.rotateTitle, text: texts.rotateText(host), confirm: texts.rotate }}
          act={async () => {
            onSecret((await callAdmin('rotateWebhookSecret', { params })).secret);
            return texts.rotated;
          }}
        />
        <ActionButton
          label={texts.delete}
          name={texts.of(texts.delete, host)}
          ask={{
            cancel,
            title: texts.deleteTitle,
            text: texts.deleteText(host),
            confirm: texts.delete,
            dangerous: true,
          }}
          // Its deliveries would be asked for once more when it is gone.
          onPress={() => {
            setShowsLog(false);
            return true;
          }}
          act={async () => {
            await callAdmin('deleteWebhook', { params });
            return texts.deleted;
          }}
        />
        <button
          type="button"
          className="button button--small"
          aria-expanded={showsLog}
          aria-label={texts.of(texts.log, host)}
          onClick={() => setShowsLog(!showsLog)}
        >
          {texts.log}
        </button>
      </div>
      {editing && (
        <WebhookDialog
          webhook={webhook}
          onClose={() => setEditing(false)}
          send={async (body) => {
            await callAdmin('changeWebhook', { params, body });
            return texts.saved;
          }}
        />
      )}
      {showsLog && <Deliveries webhookId={id} host={host} />}
    </li>
  );
}

/** A new secret, which is shown once. */
function Secret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <Dialog title={texts.secretTitle} onClose={onClose}>
      <p>{texts.secretText}</p>
      <CopyLink url={secret} label={texts.secretLabel} texts={texts.copying} ready inDialog />
      <DialogActions>
        <button type="button" className="button button--primary" onClick={onClose}>
          {texts.secretDone}
        </button>
      </DialogActions>
    </Dialog>
  );
}
