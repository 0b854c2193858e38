import { useEffect, useRef, useState } from 'react';
import * as limits from '#contract/limits.ts';
import type { ImportResult } from '#contract/poll-import.ts';
import { ApiError } from '#site/client/api.ts';
import { failureNote, failureSentence, failureText } from '#site/client/failure-text.ts';
import { toast } from '#site/ui/toasts.ts';
import { adminToasts, importTexts } from '#texts/admin.ts';
import { sendCsv } from './send-csv.ts';
import { lookAgain } from './use-managing.ts';

/** What an import said, or would do; or why it could not be asked for. */
export interface Told {
  readonly dryRun: boolean;
  readonly failed: boolean;
  readonly message: string;
  /** Null when the file was not looked at. */
  readonly result: ImportResult | null;
}

/** idle, or on its way: `sent` is the share of the file that has arrived, 1 while the server works. */
export type ImportState =
  | { readonly is: 'idle'; readonly told: Told | null }
  | { readonly is: 'sending'; readonly dryRun: boolean; readonly sent: number };

/** Picks a file, has it looked through, and imports it. */
export function useImport() {
  const [file, setFile] = useState<File | null>(null);
  const [allOrNothing, setAllOrNothing] = useState(false);
  const [state, setState] = useState<ImportState>({ is: 'idle', told: null });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const send = async (sent: File, dryRun: boolean, whole: boolean) => {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    const { signal } = mine;
    const onSent = (share: number) => {
      if (!signal.aborted) setState({ is: 'sending', dryRun, sent: share });
    };
    onSent(0);
    try {
      const result = await sendCsv({ file: sent, dryRun, allOrNothing: whole, onSent, signal });
      if (signal.aborted) return;
      const nothing = result.rejected > 0 && result.imported + result.unchanged === 0;
      const message = nothing && !dryRun ? importTexts.reasonsListed : result.message;
      setState({ is: 'idle', told: { dryRun, failed: nothing, message, result } });
      if (dryRun) return;
      if (nothing) toast({ ...adminToasts.uploadFailed, text: result.message, destructive: true });
      else toast(adminToasts.uploaded(result.imported, result.message));
      await lookAgain();
    } catch (error) {
      if (signal.aborted) return;
      const result = resultIn(error);
      const message = dryRun
        ? failureSentence(error, importTexts.notChecked)
        : result !== null
          ? importTexts.reasonsListed
          : failureNote(error, importTexts.checkBeforeRetry);
      setState({ is: 'idle', told: { dryRun, failed: true, message, result } });
      if (dryRun) return;
      const text = failureText(error, adminToasts.uploadFailed.text);
      toast({ ...adminToasts.uploadFailed, text, destructive: true });
      await lookAgain();
    }
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
      setState({ is: 'idle', told: null });
      toast({ title: adminToasts.invalidFile.title, text: problem, destructive: true });
      return;
    }
    setFile(picked);
    void send(picked, true, allOrNothing);
  };

  return {
    file,
    state,
    allOrNothing,
    pick,
    setAllOrNothing: (whole: boolean) => {
      setAllOrNothing(whole);
      if (file !== null) void send(file, true, whole);
    },
    upload: () => {
      if (file !== null) void send(file, false, allOrNothing);
    },
  };
}

/** A file that was refused as a whole: the answer has the reasons. */
function resultIn(error: unknown): ImportResult | null {
  const body = error instanceof ApiError ? (error.body as Partial<ImportResult> | undefined) : undefined;
  return body?.warnings !== undefined && body.errors !== undefined ? (body as ImportResult) : null;
}
