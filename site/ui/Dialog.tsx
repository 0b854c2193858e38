import { useId, useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import styles from './Dialog.module.css';

interface DialogProps {
  readonly title: string;
  /** Asked for by Escape and by a press beside the dialog; whoever shows the dialog takes it away. */
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A modal dialog, open as long as it is rendered. The browser's own: it keeps the focus inside, makes the page
 * behind it inert and gives the focus back where it was.
 */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  return (
    // The press beside it is a second way; the keyboard has Escape.
    // eslint-disable-next-line jsx-a11y-x/click-events-have-key-events, jsx-a11y-x/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current && isOutside(event, dialog.current)) onClose();
      }}
    >
      <div className={styles.inner}>
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}

function isOutside({ clientX, clientY }: { clientX: number; clientY: number }, element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

/** The row of buttons at the end of a dialog. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

interface ConfirmDialogProps {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly cancel: string;
  readonly pending: boolean;
  /** What is confirmed destroys something. */
  readonly dangerous?: boolean;
  readonly problem?: string | null | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something that cannot be taken back. The harmless answer has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, text, confirm, cancel, pending, dangerous = false, problem, onConfirm, onClose } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {problem != null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <DialogActions>
        <button type="button" className="button" onClick={onClose}>
          {cancel}
        </button>
        <button
          type="button"
          className={`button button--${dangerous ? 'danger' : 'primary'}`}
          aria-disabled={pending}
          onClick={() => pending || onConfirm()}
        >
          {confirm}
        </button>
      </DialogActions>
    </Dialog>
  );
}
