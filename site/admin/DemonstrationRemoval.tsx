import { useState } from 'react';
import { ConfirmDialog } from '#site/ui/Dialog.tsx';
import { demonstrationRemovalTexts as texts } from '#texts/admin-polls.ts';
import { callAdmin } from './admin-session.ts';
import own from './Managing.module.css';
import { useConfirmed } from './use-confirmed.ts';

/** Takes everything away that came with the software. */
export function DemonstrationRemoval({ count }: { readonly count: number }) {
  const { title, text, confirm, cancel } = texts;
  const [asking, setAsking] = useState(false);
  const onClose = () => setAsking(false);
  const { pending, problem, confirm: takeAway } = useConfirmed(onClose);
  const handleConfirm = () =>
    takeAway(async () => {
      const { polls, communityPolls } = await callAdmin('removeDemonstration');
      return texts.done(polls + communityPolls);
    });
  return (
    <div className={own.demonstration}>
      <p className="small">{texts.notice(count)}</p>
      <button type="button" className="button button--small" onClick={() => setAsking(true)}>
        {texts.remove}
      </button>
      {asking && (
        <ConfirmDialog
          dangerous
          {...{ title, text, confirm, cancel, pending, problem, onClose }}
          onConfirm={() => void handleConfirm()}
        />
      )}
    </div>
  );
}
