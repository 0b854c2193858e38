import type { ImportSettings } from '#api/polls/import/import-settings.contract.ts';
import { adminPassword } from '#site/admin/admin-session.ts';

/** A file of polls, and how to read it. */
export interface ImportFile {
  readonly file: File;
  /** Null: as the specified format. */
  readonly settings: ImportSettings | null;
}

/** The form of an upload. */
export function uploadForm({ file, settings }: ImportFile, options: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  form.set('password', adminPassword.get() ?? '');
  for (const [name, value] of Object.entries(options)) form.set(name, value);
  if (settings !== null) form.set('settings', JSON.stringify(settings));
  form.set('csvFile', file);
  return form;
}
