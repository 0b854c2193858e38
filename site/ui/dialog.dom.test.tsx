import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { ConfirmDialog } from './Dialog.tsx';

afterEach(() => {
  cleanup();
  onConfirm.mockReset();
});

const onConfirm = vi.fn<() => void>();

function Page({ problem }: { readonly problem?: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button onClick={() => setOpen(true)}>Open</button>
      {open && (
        <ConfirmDialog
          title="Delete this?"
          text="It will be gone."
          confirm="Delete"
          cancel="Keep"
          pending={false}
          problem={problem}
          onConfirm={onConfirm}
          onClose={() => setOpen(false)}
        >
          <input aria-label="Reason" />
        </ConfirmDialog>
      )}
    </>
  );
}

it('asks in a modal dialog named by its title, and acts only when confirmed', () => {
  render(<Page />);
  fireEvent.click(screen.getByText('Open'));
  const dialog = screen.getByRole<HTMLDialogElement>('dialog', { name: 'Delete this?' });
  expect(dialog.open).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Keep' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(onConfirm).not.toHaveBeenCalled();
  fireEvent.click(screen.getByText('Open'));
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect(onConfirm).toHaveBeenCalledOnce();
});

it('closes on Escape, which the browser turns into a cancel event', () => {
  render(<Page />);
  fireEvent.click(screen.getByText('Open'));
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('shows an error inside the dialog and stays open', () => {
  render(<Page problem="We can’t reach the service." />);
  fireEvent.click(screen.getByText('Open'));
  expect(screen.getByRole('alert').textContent).toBe('We can’t reach the service.');
});

it('is confirmed by Enter in a field, which submits its form once', () => {
  render(<Page />);
  fireEvent.click(screen.getByText('Open'));
  const { form } = screen.getByLabelText<HTMLInputElement>('Reason');
  // Enter does what a click on the first submit button does.
  expect(form?.querySelector('[type=submit]')).toBe(screen.getByRole('button', { name: 'Delete' }));
  form?.requestSubmit();
  expect(onConfirm).toHaveBeenCalledOnce();
});
