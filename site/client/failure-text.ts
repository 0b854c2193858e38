import { clientTexts } from '#texts/client.ts';
import { ApiError } from './api.ts';

/** The server's message; undefined if it sent none or wasn't reached. */
function serverMessage(error: unknown): string | undefined {
  return error instanceof ApiError && error.code !== 'API_UNREACHABLE' ? error.serverMessage : undefined;
}

/** The cause as far as the browser knows it; empty if the server was reached. */
function cause(error: unknown): string {
  if (!(error instanceof ApiError) || error.code !== 'API_UNREACHABLE') return '';
  return navigator.onLine ? clientTexts.noAnswer : clientTexts.offline;
}

const joined = (...sentences: readonly string[]) => sentences.filter((sentence) => sentence !== '').join(' ');

/** The text of a notification shown together with a {@link failureNote}: the server's message, else `failed`. */
export function failureText(error: unknown, failed: string): string {
  return serverMessage(error) ?? failed;
}

/** What the form adds to the notification without repeating it: the cause, then what was `kept`. */
export function failureNote(error: unknown, kept: string): string {
  return joined(cause(error), kept);
}

/** The full message where it is shown only once: the server's message, else `failed` and the cause. */
export function failureSentence(error: unknown, failed: string): string {
  return serverMessage(error) ?? joined(failed, cause(error));
}
