import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Webhook } from '#contract/webhook.ts';
import { ActionDialog } from '#site/admin/ActionDialog.tsx';
import styles from '#site/admin/Admin.module.css';
import listStyles from '#site/admin/AdminLists.module.css';
import { adminKey, callAdmin, refreshAdmin, useAdminMutation } from '#site/admin/admin-session.ts';
import { AdminSection, Loaded } from '#site/admin/AdminSection.tsx';
import { queryClient } from '#site/client/query-client.ts';
import { CopyLink } from '#site/ui/CopyLink.tsx';
import { Dialog, DialogActions } from '#site/ui/Dialog.tsx';
import { formatMoment } from '#site/ui/format.ts';
import { toast } from '#site/ui/toasts.ts';
import { webhookEventTexts, webhookTexts as texts } from '#texts/webhooks.ts';
import { Deliveries } from './Deliveries.tsx';
import { WebhookForm } from './WebhookForm.tsx';

/** The webhooks of the site: adding, changing, testing, and what was sent to them. */
export function Webhooks() {
  const query = useQuery(
    { queryKey: [...adminKey, 'webhooks'], queryFn: ({ signal }) => callAdmin('webhooks', { signal }) },
    queryClient(),
  );
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <AdminSection anchor="webhooks" heading={texts.heading} text={texts.text}>
      <Loaded query={query}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <p className="muted">{texts.none}</p>
          ) : (
            <ul className={styles.list}>
              {webhooks.map((webhook) => (
                <Entry key={webhook.id} webhook={webhook} onSecret={setSecret} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <p>
        <button type="button" className="button" onClick={() => setAdding(true)}>
          {texts.add}
        </button>
      </p>
      <p className="muted small">{texts.help}</p>
      {adding && (
        <WebhookForm
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

interface EntryProps {
  readonly webhook: Webhook;
  readonly onSecret: (secret: string) => void;
}

/** One webhook with its state, its actions, and its deliveries. */
function Entry({ webhook, onSecret }: EntryProps) {
  const { id, url, events, pausedBy, failingSince, previousSecretUntil } = webhook;
  const [open, setOpen] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const [showsLog, setShowsLog] = useState(false);
  const host = new URL(url).host;
  const close = () => setOpen(null);
  const pause = useAdminMutation(
    (paused: boolean) => callAdmin('changeWebhook', { params: { id }, body: { paused } }),
    (changed) => {
      toast(changed.pausedBy === null ? texts.resumed : texts.pausedNow);
      return refreshAdmin();
    },
  );
  const test = useAdminMutation(
    () => callAdmin('testWebhook', { params: { id } }),
    () => {
      toast(texts.tested);
      setShowsLog(true);
      return refreshAdmin();
    },
  );
  const actions: readonly (readonly [label: string, act: () => void])[] = [
    [texts.test, () => test.isPending || test.mutate()],
    [pausedBy === null ? texts.pause : texts.resume, () => pause.isPending || pause.mutate(pausedBy === null)],
    [texts.edit, () => setOpen('edit')],
    [texts.rotate, () => setOpen('rotate')],
    [
      texts.delete,
      () => {
        // Its deliveries would be asked for once more when it is gone.
        setShowsLog(false);
        setOpen('delete');
      },
    ],
  ];
  return (
    <li className={styles.stack}>
      <div className={styles.entry}>
        <div className={listStyles.record}>
          <h3>{host}</h3>
          <p className={`small ${listStyles.id}`}>{url}</p>
          <p className="small">{events.map((event) => webhookEventTexts[event]).join(', ')}</p>
        </div>
        <span className={`tag ${pausedBy === 'failures' ? styles.failedTag : ''}`}>
          {pausedBy === null ? texts.active : texts.paused[pausedBy]}
        </span>
      </div>
      {pausedBy !== null && <p className="muted small">{texts.pausedNote}</p>}
      {pausedBy === null && failingSince !== null && (
        <p className={listStyles.problem}>{texts.failing(formatMoment(failingSince))}</p>
      )}
      {previousSecretUntil !== null && (
        <p className="muted small">{texts.previousSecret(formatMoment(previousSecretUntil))}</p>
      )}
      <p className={styles.actions}>
        {actions.map(([label, act], place) => (
          <button
            // “Pause” becomes “Resume”, and keeps the focus.
            key={place}
            type="button"
            className="button button--small"
            aria-label={texts.of(label, host)}
            onClick={act}
          >
            {label}
          </button>
        ))}
        <button
          type="button"
          className="button button--small"
          aria-expanded={showsLog}
          aria-label={texts.of(texts.log, host)}
          onClick={() => setShowsLog(!showsLog)}
        >
          {texts.log}
        </button>
      </p>
      {open === 'edit' && (
        <WebhookForm
          webhook={webhook}
          onClose={close}
          send={async (body) => {
            await callAdmin('changeWebhook', { params: { id }, body });
            return texts.saved;
          }}
        />
      )}
      {open === 'rotate' && <Rotate id={id} host={host} onSecret={onSecret} onClose={close} />}
      {open === 'delete' && <Delete id={id} host={host} onClose={close} />}
      {showsLog && <Deliveries webhookId={id} host={host} />}
    </li>
  );
}

interface ActionProps {
  readonly id: string;
  readonly host: string;
  readonly onClose: () => void;
}

function Rotate({ id, host, onSecret, onClose }: ActionProps & Pick<EntryProps, 'onSecret'>) {
  const action = async () => {
    onSecret((await callAdmin('rotateWebhookSecret', { params: { id } })).secret);
    return texts.rotated;
  };
  return (
    <ActionDialog
      {...{ action, onClose }}
      title={texts.rotateTitle}
      text={texts.rotateText(host)}
      confirm={texts.rotate}
      cancel={texts.cancel}
    />
  );
}

function Delete({ id, host, onClose }: ActionProps) {
  const action = async () => {
    await callAdmin('deleteWebhook', { params: { id } });
    return texts.deleted;
  };
  return (
    <ActionDialog
      {...{ action, onClose }}
      title={texts.deleteTitle}
      text={texts.deleteText(host)}
      confirm={texts.delete}
      cancel={texts.cancel}
      dangerous
    />
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
