import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ImportPreview, ImportSettings } from '#api/polls/import/import-settings.contract.ts';
import { fetchAdminFile } from '#site/admin/admin-session.ts';
import { queryClient } from '#site/client/query-client.ts';
import { uploadForm } from './upload-form.ts';
import type { ImportFile } from './upload-form.ts';

async function fetchPreview(upload: ImportFile, signal: AbortSignal): Promise<ImportPreview> {
  const answer = await fetchAdminFile('importPreview', { form: uploadForm(upload), signal });
  return JSON.parse(await answer.text()) as ImportPreview;
}

/** Choices for one file; null: as detected. */
interface Choices {
  readonly file: File;
  readonly settings: ImportSettings | null;
  readonly hasDateFormat: boolean;
}

/** How a file is read: detected by the server, then changed by the operator; null: no file is mapped. */
export function useMapping(file: File | null) {
  const [choices, setChoices] = useState<Choices | null>(null);
  const own = choices?.file === file ? choices : null;
  const settings = own?.settings ?? null;
  const query = useQuery(
    {
      queryKey: ['importPreview', file?.name, file?.size, file?.lastModified, settings],
      queryFn: ({ signal }) => fetchPreview({ file: file!, settings }, signal),
      enabled: file !== null,
      placeholderData: own === null ? undefined : keepPreviousData,
      staleTime: Infinity,
      gcTime: 0,
      retry: false,
    },
    queryClient(),
  );
  const preview = query.data;
  const current = (query.isPlaceholderData ? settings : preview?.settings) ?? settings;
  const needsDateFormat = preview !== undefined && preview.dates !== 'known' && own?.hasDateFormat !== true;
  return {
    query,
    current,
    /** The order of day and month is still to be chosen. */
    needsDateFormat,
    /** The settings once nothing is missing. */
    complete:
      preview !== undefined && !query.isPlaceholderData && !needsDateFormat && preview.missing.length === 0
        ? current
        : null,
    change: (changed: Partial<ImportSettings>) => {
      if (file === null || current === null) return;
      // Another delimiter or header makes other columns.
      const isCut = (['delimiter', 'headerLine'] as const).some(
        (key) => changed[key] !== undefined && changed[key] !== current[key],
      );
      const hasDateFormat = own?.hasDateFormat === true || changed.dateFormat !== undefined;
      const { dateFormat, ...rest } = { ...current, ...changed, ...(isCut && { columns: [] }) };
      // Other columns may show another order of day and month: until one is chosen, it is detected again.
      const settings = hasDateFormat && dateFormat !== undefined ? { ...rest, dateFormat } : rest;
      setChoices({ file, settings, hasDateFormat });
    },
  };
}

export type Mapping = ReturnType<typeof useMapping>;
