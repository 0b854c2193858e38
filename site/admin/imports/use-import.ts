import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import * as limits from '#contract/limits.ts';
import type { ImportResult } from '#contract/poll-import.ts';
import { pathOf, routes } from '#contract/routes.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { ApiError, headerText, parseErrorBody } from '#site/client/api.ts';
import { failureNote, failureSentence, failureText } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { toast } from '#site/ui/toasts.ts';
import { adminToasts, importTexts } from '#texts/admin.ts';
import { adminPassword, lockIfRefused, refreshAdmin } from '#site/admin/admin-session.ts';

/** The outcome of an import or dry run, or why it failed. */
export interface Report {
  readonly dryRun: boolean;
  readonly failed: boolean;
  readonly message: string;
  /** Null if the server did not read the file. */
  readonly result: ImportResult | null;
}

/** `sent` is the uploaded share of the file; 1 while the server processes it. */
export type ImportState =
  | { readonly is: 'idle'; readonly report: Report | null }
  | { readonly is: 'sending'; readonly dryRun: boolean; readonly sent: number };

interface Upload {
  readonly file: File;
  readonly dryRun: boolean;
  readonly allOrNothing: boolean;
  readonly signal: AbortSignal;
}

/** Uploads a CSV file, with `XMLHttpRequest` because `fetch` does not report upload progress. */
function sendCsv(upload: Upload, onSent: (share: number) => void): Promise<ImportResult> {
  const { file, dryRun, allOrNothing, signal } = upload;
  const password = adminPassword.get() ?? '';
  const form = new FormData();
  form.set('password', password);
  if (dryRun) form.set('dryRun', 'true');
  if (allOrNothing) form.set('mode', 'all-or-nothing');
  form.set('csvFile', file);

  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = () => reject(new ApiError(0, 'no answer', { code: 'API_UNREACHABLE' }));
    request.upload.onprogress = ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0);
    request.upload.onload = () => onSent(1);
    request.onerror = fail;
    request.onabort = fail;
    request.onload = () => {
      const body = parseErrorBody(request.responseText);
      if (request.status === 200 && body) resolve(body as unknown as ImportResult);
      else {
        lockIfRefused(body?.code);
        reject(new ApiError(request.status, request.responseText || request.statusText, body));
      }
    };
    signal.addEventListener('abort', () => request.abort());
    request.open(routes.bulkUpload.method, pathOf('bulkUpload'));
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader(adminPasswordHeader, headerText(password));
    request.send(form);
  });
}

const isRejected = ({ rejected, imported, unchanged }: ImportResult) => rejected > 0 && imported + unchanged === 0;

/** The result in the error body of a file that was rejected as a whole. */
function resultIn(error: Error): ImportResult | null {
  const body = error instanceof ApiError ? (error.body as Partial<ImportResult> | undefined) : undefined;
  return body?.warnings !== undefined && body.errors !== undefined ? (body as ImportResult) : null;
}

function reportOf(result: ImportResult, dryRun: boolean): Report {
  const failed = isRejected(result);
  return { dryRun, failed, message: failed && !dryRun ? importTexts.reasonsListed : result.message, result };
}

function reportOfError(error: Error, dryRun: boolean): Report {
  const result = resultIn(error);
  const message = dryRun
    ? failureSentence(error, importTexts.notChecked)
    : result !== null
      ? importTexts.reasonsListed
      : failureNote(error, importTexts.checkBeforeRetry);
  return { dryRun, failed: true, message, result };
}

const toastFailure = (text: string) => toast({ ...adminToasts.uploadFailed, text, destructive: true });

function useUpload(onSent: (share: number) => void) {
  return useMutation<ImportResult, Error, Upload>(
    {
      mutationFn: (upload) =>
        sendCsv(upload, (share) => {
          if (!upload.signal.aborted) onSent(share);
        }),
      onSuccess: (result, { dryRun, signal }) => {
        if (dryRun || signal.aborted) return;
        if (isRejected(result)) toastFailure(result.message);
        else toast(adminToasts.uploaded(result.imported, result.message));
        void refreshAdmin();
      },
      onError: (error, { dryRun, signal }) => {
        if (dryRun || signal.aborted) return;
        toastFailure(failureText(error, adminToasts.uploadFailed.text));
        void refreshAdmin();
      },
    },
    queryClient(),
  );
}

/** Picks a CSV file, checks it with a dry run, and imports it. */
export function useImport() {
  const [file, setFile] = useState<File | null>(null);
  const [allOrNothing, setAllOrNothing] = useState(false);
  const [sent, setSent] = useState(0);
  const running = useRef<AbortController>(null);
  const { mutate, reset, isPending, data, error, variables } = useUpload(setSent);
  useEffect(() => () => running.current?.abort(), []);

  const send = (upload: Omit<Upload, 'signal'>) => {
    running.current?.abort();
    running.current = new AbortController();
    setSent(0);
    mutate({ ...upload, signal: running.current.signal });
  };

  const pick = (picked: File | undefined) => {
    if (picked === undefined) return;
    const problem = /\.csv$/i.test(picked.name)
      ? picked.size > limits.importBytes
        ? adminToasts.tooLarge
        : null
      : adminToasts.invalidFile.text;
    if (problem !== null) {
      running.current?.abort();
      setFile(null);
      reset();
      toast({ title: adminToasts.invalidFile.title, text: problem, destructive: true });
      return;
    }
    setFile(picked);
    send({ file: picked, dryRun: true, allOrNothing });
  };

  const dryRun = variables?.dryRun ?? true;
  const report = data ? reportOf(data, dryRun) : error ? reportOfError(error, dryRun) : null;
  const state: ImportState = isPending ? { is: 'sending', dryRun, sent } : { is: 'idle', report };
  return {
    file,
    state,
    allOrNothing,
    pick,
    setAllOrNothing: (whole: boolean) => {
      setAllOrNothing(whole);
      if (file !== null) send({ file, dryRun: true, allOrNothing: whole });
    },
    upload: () => {
      if (file !== null) send({ file, dryRun: false, allOrNothing });
    },
  };
}
