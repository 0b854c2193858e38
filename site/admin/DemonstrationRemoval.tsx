import { useState } from 'react';
import { ConfirmDialog } from '#site/ui/Dialog.tsx';
import { toast } from '#site/ui/toasts.ts';
import { demonstrationRemovalTexts as texts } from '#texts/admin-polls.ts';
import { callAdmin, sentenceOf } from './admin-session.ts';
import own from './Managing.module.css';
import { lookAgain } from './use-managing.ts';

/** Takes everything away that came with the software. */
export function DemonstrationRemoval({ count }: { readonly count: number }) {
  const { title, text, confirm, cancel } = texts;
  const [asking, setAsking] = useState(false);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const onClose = () => setAsking(false);
  const handleConfirm = async () => {
    setPending(true);
    setProblem(null);
    try {
      const { polls, communityPolls } = await callAdmin('removeDemonstration');
      toast(texts.done(polls + communityPolls));
      onClose();
    } catch (error) {
      setProblem(sentenceOf(error));
    }
    setPending(false);
    await lookAgain();
  };
  return (
    <div className={own.demonstration}>
      <p className="small">{texts.notice(count)}</p>
      <button type="button" className="button button--small" onClick={() => setAsking(true)}>
        {texts.remove}
      </button>
      {asking && (
        <ConfirmDialog
          {...{ title, text, confirm, cancel, pending, problem, onClose }}
          onConfirm={() => void handleConfirm()}
        />
      )}
    </div>
  );
}
