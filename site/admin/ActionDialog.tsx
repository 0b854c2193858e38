import { ConfirmDialog } from '#site/ui/Dialog.tsx';
import type { ConfirmDialogProps } from '#site/ui/Dialog.tsx';
import type { ToastMessage } from '#site/ui/toasts.ts';
import { useDialogMutation } from './admin-session.ts';

/** What is asked before an action. */
export type Question = Omit<ConfirmDialogProps, 'pending' | 'problem' | 'onConfirm' | 'onClose'>;

interface ActionDialogProps extends Question {
  /** A notification that it returns is shown when it is done. */
  readonly action: () => Promise<ToastMessage | undefined>;
  readonly onClose: () => void;
}

/** Asks before an admin action, and shows why it failed. */
export function ActionDialog({ action, ...shown }: ActionDialogProps) {
  const { mutate, pending, problem } = useDialogMutation(action, shown.onClose);
  return <ConfirmDialog {...shown} {...{ pending, problem }} onConfirm={() => mutate()} />;
}
