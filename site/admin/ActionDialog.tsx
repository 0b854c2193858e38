import { ConfirmDialog } from '#site/ui/Dialog.tsx';
import type { ActionDialogProps } from '#site/ui/Dialog.tsx';
import { useDialogMutation } from './admin-session.ts';

/** Asks before an action of the desk, and shows why it failed. */
export function ActionDialog({ action, ...shown }: ActionDialogProps) {
  const { mutate, pending, problem } = useDialogMutation(action, shown.onClose);
  return <ConfirmDialog {...shown} {...{ pending, problem }} onConfirm={() => mutate()} />;
}
