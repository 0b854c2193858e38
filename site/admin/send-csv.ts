import type { ImportResult } from '#contract/poll-import.ts';
import { pathOf, routes } from '#contract/routes.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { ApiError, headerText, parsed } from '#site/client/api.ts';
import { adminPassword, noticeRefusal } from './admin-session.ts';

/** How an upload is meant. */
export interface Sending {
  readonly file: File;
  readonly dryRun: boolean;
  readonly allOrNothing: boolean;
  /** Share of the file that has been sent; 1 when the server works on it. */
  readonly onSent: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Sends a file to the import. fetch cannot say how much it has sent, so this is the one call that goes without it. */
export function sendCsv({ file, dryRun, allOrNothing, onSent, signal }: Sending): Promise<ImportResult> {
  const password = adminPassword.get() ?? '';
  const form = new FormData();
  form.set('password', password);
  if (dryRun) form.set('dryRun', 'true');
  if (allOrNothing) form.set('mode', 'all-or-nothing');
  form.set('csvFile', file);

  return new Promise((answered, failed) => {
    const request = new XMLHttpRequest();
    const gone = () => failed(new ApiError(0, 'no answer', { code: 'API_UNREACHABLE' }));
    request.upload.onprogress = ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0);
    request.upload.onload = () => onSent(1);
    request.onerror = gone;
    request.onabort = gone;
    request.onload = () => {
      const body = parsed(request.responseText);
      if (request.status === 200 && body) answered(body as unknown as ImportResult);
      else {
        noticeRefusal(body?.code);
        failed(new ApiError(request.status, request.responseText || request.statusText, body));
      }
    };
    signal.addEventListener('abort', () => request.abort());
    request.open(routes.bulkUpload.method, pathOf('bulkUpload'));
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader(adminPasswordHeader, headerText(password));
    request.send(form);
  });
}
