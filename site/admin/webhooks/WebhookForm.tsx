import { useId, useState } from 'react';
import { webhookEvents, webhookUrlLength } from '#contract/webhook.ts';
import type { Webhook, WebhookEvent } from '#contract/webhook.ts';
import styles from '#site/admin/Admin.module.css';
import listStyles from '#site/admin/AdminLists.module.css';
import { useDialogMutation } from '#site/admin/admin-session.ts';
import { Dialog, DialogActions } from '#site/ui/Dialog.tsx';
import { Field } from '#site/ui/Field.tsx';
import type { ToastMessage } from '#site/ui/toasts.ts';
import { webhookEventTexts, webhookTexts as texts } from '#texts/webhooks.ts';

interface WebhookSettings {
  readonly url: string;
  readonly events: WebhookEvent[];
}

interface WebhookFormProps {
  /** The webhook to change; null: a new one. */
  readonly webhook: Webhook | null;
  /** Saves the settings; resolves to the notification. */
  readonly send: (settings: WebhookSettings) => Promise<ToastMessage>;
  readonly onClose: () => void;
}

/** The address and the events of a webhook. */
export function WebhookForm({ webhook, send, onClose }: WebhookFormProps) {
  const id = useId();
  const [missing, setMissing] = useState<'url' | 'events' | null>(null);
  const { mutate, pending, problem } = useDialogMutation<WebhookSettings>(send, onClose);
  return (
    <Dialog title={webhook === null ? texts.add : texts.of(texts.edit, new URL(webhook.url).host)} onClose={onClose}>
      <form
        className={listStyles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          const typed = data.get('url');
          const url = typeof typed === 'string' ? typed.trim() : '';
          const events = webhookEvents.filter((name) => data.getAll('events').includes(name));
          const found = url === '' ? 'url' : events.length === 0 ? 'events' : null;
          setMissing(found);
          if (found === null && !pending) mutate({ url, events });
        }}
      >
        <Field
          id={id}
          label={texts.url}
          hint={texts.urlHint}
          problem={missing === 'url' ? texts.noUrl : (problem ?? undefined)}
        >
          {(control) => (
            <input
              {...control}
              className="input"
              name="url"
              type="url"
              dir="ltr"
              maxLength={webhookUrlLength}
              autoComplete="off"
              defaultValue={webhook?.url}
            />
          )}
        </Field>
        <fieldset className={listStyles.options} aria-describedby={missing === 'events' ? `${id}-events` : undefined}>
          <legend>{texts.events}</legend>
          {webhookEvents.map((event) => (
            <label key={event} className={styles.check}>
              <input
                type="checkbox"
                name="events"
                value={event}
                defaultChecked={webhook?.events.includes(event) ?? false}
              />
              {webhookEventTexts[event]}
            </label>
          ))}
          {missing === 'events' && (
            <p id={`${id}-events`} className={listStyles.problem} role="alert">
              {texts.noEvents}
            </p>
          )}
        </fieldset>
        <DialogActions>
          <button type="button" className="button" onClick={onClose}>
            {texts.cancel}
          </button>
          <button type="submit" className="button button--primary" aria-disabled={pending}>
            {webhook === null ? texts.create : texts.save}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
