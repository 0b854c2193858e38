import { useState } from 'react';
import type { Publishing, SiteRelease } from '#contract/publishing.ts';
import { Dialog, DialogActions } from '#site/ui/Dialog.tsx';
import { formatMoment } from '#site/ui/format.ts';
import { serveAgainTexts as texts } from '#texts/admin.ts';
import styles from './Admin.module.css';
import { callAdmin } from './admin-session.ts';
import own from './Managing.module.css';
import { useConfirmed } from './use-confirmed.ts';

interface ServeAgainProps {
  readonly release: SiteRelease;
  readonly onServed: (publishing: Publishing) => void;
  readonly onClose: () => void;
}

/** Says what serving an older release means, and does it when it is wanted. */
export function ServeAgain({ release: { id, createdAt }, onServed, onClose }: ServeAgainProps) {
  const [pin, setPin] = useState(false);
  const { pending, problem, confirm } = useConfirmed(onClose);
  const handleConfirm = () =>
    confirm(async () => {
      onServed(await callAdmin('useRelease', { params: { id }, query: { pin } }));
      return texts.done(pin);
    });
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <p>{texts.text(formatMoment(createdAt))}</p>
      <ul className={own.facts}>
        <li>{texts.removed}</li>
        <li>{pin ? texts.stays : texts.replaced}</li>
      </ul>
      <label className={styles.check}>
        <input type="checkbox" checked={pin} onChange={({ target }) => setPin(target.checked)} />
        {texts.pin}
      </label>
      {problem !== null && (
        <p className={own.problem} role="alert">
          {problem}
        </p>
      )}
      <DialogActions>
        <button type="button" className="button" onClick={onClose}>
          {texts.cancel}
        </button>
        <button
          type="button"
          className="button button--primary"
          aria-disabled={pending}
          onClick={() => pending || void handleConfirm()}
        >
          {texts.confirm}
        </button>
      </DialogActions>
    </Dialog>
  );
}
