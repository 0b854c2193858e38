import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { currentToast } from '#site/ui/toasts.ts';
import { useImport } from './use-import.ts';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

let answer: { readonly status: number; readonly text: string };
let held = false;
let sent = 0;

/** Answers every request at once, as the browser's does. */
class Request {
  readonly upload = {};
  status = 0;
  statusText = '';
  responseText = '';
  onload = () => undefined;
  onerror = () => undefined;
  readonly open = () => undefined;
  readonly setRequestHeader = () => undefined;
  readonly abort = () => undefined;
  send() {
    sent += 1;
    this.status = answer.status;
    this.responseText = answer.text;
    if (answer.status === 0) this.onerror();
    else if (!held) this.onload();
  }
}

beforeEach(() => {
  currentToast.set(null);
  held = false;
  vi.stubGlobal('XMLHttpRequest', Request);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const upload = async () => (await uploaded()).notification;

const uploaded = async () => {
  const { result } = renderHook(() => useImport());
  act(() => result.current.pick(new File(['id'], 'polls.csv')));
  await waitFor(() => expect(result.current.state.is).toBe('idle'));
  act(() => result.current.upload(null));
  await waitFor(() => expect(currentToast.get()).not.toBeNull());
  await waitFor(() => expect(result.current.state.is).toBe('idle'));
  return { notification: currentToast.get(), state: result.current.state };
};

test('[S4.11] a file is uploading until the server responds', async () => {
  answer = { status: 400, text: '{}' };
  const { result } = renderHook(() => useImport());
  expect(result.current.state).toEqual({ is: 'idle', report: null });
  act(() => result.current.pick(new File(['id'], 'polls.csv')));
  await waitFor(() => expect(result.current.state.is).toBe('idle'));
  held = true;
  sent = 0;
  act(() => result.current.upload(null));
  await waitFor(() => expect(sent).toBe(1));
  expect(result.current.state).toMatchObject({ is: 'sending', dryRun: false });
  expect(currentToast.get()).toBeNull();
});

test('[S4.11 S8.14] a failed upload shows the server’s message', async () => {
  answer = { status: 400, text: JSON.stringify({ code: 'CSV_REFUSED', message: 'The file has no rows.' }) };
  expect(await upload()).toMatchObject({
    title: 'Upload Failed',
    text: 'The file has no rows.',
    destructive: true,
  });
});

test('[S8.14] a failed upload without a message from the server shows a default message', async () => {
  answer = { status: 502, text: '<html>' };
  expect(await upload()).toMatchObject({ title: 'Upload Failed', text: 'Failed to upload CSV file.' });
});

test('[S8.14] an upload without a response says so next to the file and advises checking the imports first', async () => {
  answer = { status: 0, text: '' };
  expect(await uploaded()).toMatchObject({
    notification: { title: 'Upload Failed', text: 'Failed to upload CSV file.' },
    state: {
      report: {
        message:
          'The server didn’t respond. Check the imports below before you upload the file again; it may have gone through.',
      },
    },
  });
});

test('the notification says why a file was refused, and the report lists its errors', async () => {
  const counts = { imported: 0, inserted: 0, updated: 0, unchanged: 0, rejected: 0 };
  const message = 'Nothing was imported. The file is empty.';
  answer = {
    status: 400,
    text: JSON.stringify({ ...counts, message, errors: [{ reason: 'empty' }], groups: [], warnings: [] }),
  };
  expect(await uploaded()).toMatchObject({
    notification: { text: message },
    state: { report: { message: 'The reasons are listed below.', result: { errors: [{ reason: 'empty' }] } } },
  });
});

test('an upload that changes nothing is reported as such, not as zero imported polls', async () => {
  const counts = { imported: 0, inserted: 0, updated: 0, unchanged: 3, rejected: 0 };
  const message = 'Nothing changed: 3 polls already matched the file.';
  answer = { status: 200, text: JSON.stringify({ ...counts, message, errors: [], groups: [], warnings: [] }) };
  expect(await upload()).toMatchObject({ title: 'Upload Successful', text: message });
});
