import { clientTexts } from '#texts/client.ts';
import { ApiError } from './api.ts';

/** The server's message; undefined where it sent none, or where it was not reached. */
function serverMessage(error: unknown): string | undefined {
  return error instanceof ApiError && error.code !== 'API_UNREACHABLE' ? error.serverMessage : undefined;
}

/** The cause as far as the browser knows it; empty where the server was reached. */
function cause(error: unknown): string {
  if (!(error instanceof ApiError) || error.code !== 'API_UNREACHABLE') return '';
  return navigator.onLine ? clientTexts.noAnswer : clientTexts.offline;
}

const joined = (...sentences: readonly string[]) => sentences.filter((sentence) => sentence !== '').join(' ');

/** What a notification says about a failed call beside a {@link failureNote}: the server's message, else `failed`. */
export function failureText(error: unknown, failed: string): string {
  return serverMessage(error) ?? failed;
}

/** What the place that failed adds to its notification without repeating it: the cause, then what is `kept` there. */
export function failureNote(error: unknown, kept: string): string {
  return joined(cause(error), kept);
}

/** A failed call in full, where it is said only once: the server's message, else `failed` and the cause. */
export function failureSentence(error: unknown, failed: string): string {
  return serverMessage(error) ?? joined(failed, cause(error));
}
