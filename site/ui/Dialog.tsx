import { useId, useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import type { ToastMessage } from './toasts.ts';
import styles from './Dialog.module.css';

interface DialogProps {
  readonly title: string;
  /** Called on Escape and on a click outside; the parent then unmounts the dialog. */
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A modal dialog, open while it is mounted. It is the browser's own, which traps the focus, makes the page behind it
 * inert, and restores the focus.
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
    // The keyboard closes it with Escape.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
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

export interface ConfirmDialogProps {
  readonly title: string;
  readonly text?: string;
  readonly confirm: string;
  readonly cancel: string;
  readonly pending: boolean;
  /** Whether the action destroys something. */
  readonly dangerous?: boolean;
  /** Whether the action can't be confirmed yet. */
  readonly disabled?: boolean;
  readonly problem?: string | null | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** More about the action, below the text. */
  readonly children?: ReactNode;
}

/** A dialog that confirms an action, waits for it, and shows why it failed. */
export interface ActionDialogProps extends Omit<ConfirmDialogProps, 'pending' | 'problem' | 'onConfirm'> {
  /** The confirmed action; returns the notification that is shown when it is done. */
  readonly action: () => Promise<ToastMessage>;
}

/** Asks for confirmation of an action, also by Enter in a field. Without fields, the cancel button gets the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, text, confirm, cancel, pending, dangerous = false, disabled = false } = props;
  const { problem, onConfirm, onClose, children } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className={styles.inner}
        method="post"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!pending && !disabled) onConfirm();
        }}
      >
        {text !== undefined && <p>{text}</p>}
        {children}
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
            type="submit"
            className={`button button--${dangerous ? 'danger' : 'primary'}`}
            disabled={disabled}
            aria-disabled={pending}
          >
            {confirm}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
