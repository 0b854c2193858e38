import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import * as limits from '#contract/limits.ts';
import type { ImportSettings } from '#api/polls/import/import-settings.contract.ts';
import type { ImportError, ImportResult } from '#api/polls/import/poll-import.contract.ts';
import { routes } from '#api/routes.contract.ts';
import { pathOf } from '#domain/path-of.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { ApiError, headerText, parseErrorBody } from '#site/client/api.ts';
import { failureNote, failureSentence, failureText } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { toast } from '#site/ui/toasts.ts';
import { adminToasts, importTexts } from '#texts/admin.ts';
import { adminPassword, refreshAdmin, whileConfirmed } from '#site/admin/admin-session.ts';
import { uploadForm } from './upload-form.ts';
import type { ImportFile } from './upload-form.ts';

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

interface Upload extends ImportFile {
  readonly dryRun: boolean;
  readonly allOrNothing: boolean;
  readonly signal: AbortSignal;
}

/** Uploads a file, with `XMLHttpRequest` because `fetch` does not report upload progress. */
function sendFile(upload: Upload, onSent: (share: number) => void): Promise<ImportResult> {
  const { dryRun, allOrNothing, signal } = upload;
  const form = uploadForm(upload, {
    ...(dryRun && { dryRun: 'true' }),
    ...(allOrNothing && { mode: 'all-or-nothing' }),
  });

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
      else reject(new ApiError(request.status, request.responseText || request.statusText, body));
    };
    signal.addEventListener('abort', () => request.abort());
    request.open(routes.bulkUpload.method, pathOf('bulkUpload'));
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader(adminPasswordHeader, headerText(adminPassword.get() ?? ''));
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
        whileConfirmed(() =>
          sendFile(upload, (share) => {
            if (!upload.signal.aborted) onSent(share);
          }),
        ),
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

/** Errors of files that aren’t in the specified format: the operator chooses how they are read. */
const mappable: readonly ImportError['code'][] = [
  ...(['missing_column', 'wrong_separator', 'unreadable_header', 'wrong_content', 'row_per_person'] as const),
];

/**
 * Picks a file and imports it. A CSV file is checked with a dry run at once; if it isn’t in the specified format, or is a
 * workbook, the settings to read it with have to be chosen first.
 */
export function useImport() {
  const [file, setFile] = useState<File | null>(null);
  const [wantsMapping, setWantsMapping] = useState(false);
  const [allOrNothing, setAllOrNothing] = useState(false);
  const [sent, setSent] = useState(0);
  const running = useRef<AbortController>(null);
  const { mutate, reset, isPending, data, error, variables } = useUpload(setSent);
  useEffect(() => () => running.current?.abort(), []);

  const stop = () => {
    running.current?.abort();
    reset();
  };
  const send = (upload: Omit<Upload, 'signal'>) => {
    running.current?.abort();
    running.current = new AbortController();
    setSent(0);
    mutate({ ...upload, signal: running.current.signal });
  };

  const pick = (picked: File | undefined) => {
    if (picked === undefined) return;
    const problem = !/\.(?:csv|tsv|xlsx)$/i.test(picked.name)
      ? adminToasts.invalidFile.text
      : picked.size > limits.importBytes
        ? adminToasts.tooLarge
        : null;
    if (problem !== null) {
      stop();
      setFile(null);
      toast({ title: adminToasts.invalidFile.title, text: problem, destructive: true });
      return;
    }
    const isCsv = /\.csv$/i.test(picked.name);
    setFile(picked);
    setWantsMapping(!isCsv);
    if (isCsv) send({ file: picked, settings: null, dryRun: true, allOrNothing });
    else stop();
  };

  const dryRun = variables?.dryRun ?? true;
  const report = data ? reportOf(data, dryRun) : error ? reportOfError(error, dryRun) : null;
  const isRefused =
    variables?.settings === null && report?.result?.errors.some(({ code }) => mappable.includes(code)) === true;
  // The mapping says what is missing.
  const state: ImportState = isPending
    ? { is: 'sending', dryRun, sent }
    : { is: 'idle', report: isRefused ? null : report };
  return {
    file,
    state,
    allOrNothing,
    isMapping: file !== null && (wantsMapping || isRefused),
    /** Whether the file was checked, or imported, with these settings. */
    isChecked: (settings: ImportSettings) => variables?.file === file && variables?.settings === settings && !isPending,
    pick,
    /** Lets the operator change how the file is read. */
    map: () => {
      stop();
      setWantsMapping(true);
    },
    setAllOrNothing: (whole: boolean) => {
      setAllOrNothing(whole);
      if (file !== null && variables !== undefined)
        send({ file, settings: variables.settings, dryRun: true, allOrNothing: whole });
    },
    check: (settings: ImportSettings) => {
      if (file === null) return;
      setWantsMapping(true);
      send({ file, settings, dryRun: true, allOrNothing });
    },
    upload: (settings: ImportSettings | null) => {
      if (file !== null) send({ file, settings, dryRun: false, allOrNothing });
    },
  };
}
