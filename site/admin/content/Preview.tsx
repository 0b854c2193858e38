import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import type { ContentDraft, ContentEntry } from '#api/content/content.contract.ts';
import { adminErrorMessage, callAdmin } from '#site/admin/admin-session.ts';
import { queryClient } from '#site/client/query-client.ts';
import '#site/styles/charts.css';
import '#site/styles/prose.css';
import { RawHtml } from '#site/ui/RawHtml.tsx';
import { contentTexts as texts } from '#texts/content-editor.ts';
import styles from './Content.module.css';

/** Milliseconds without typing after which the preview is rendered. */
const renderAfterMs = 400;

/**
 * What a draft would show, rendered a moment after it was changed; `isCurrent` when it is about the draft as it is now. `html`
 * is the last without an error in the text.
 */
export function usePreview({ folder, name }: ContentEntry, draft: ContentDraft) {
  const [rendered, setRendered] = useState(draft);
  const [html, setHtml] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setRendered(draft), renderAfterMs);
    return () => clearTimeout(timer);
  }, [draft]);
  const { data, error, isPlaceholderData } = useQuery(
    {
      queryKey: ['content-preview', folder, name, rendered],
      queryFn: ({ signal }) => callAdmin('previewContent', { params: { folder, name }, body: rendered, signal }),
      placeholderData: (previous) => previous,
      gcTime: 0,
      retry: false,
    },
    queryClient(),
  );
  if (data?.html != null && data.html !== html) setHtml(data.html);
  const isCurrent = rendered === draft && !isPlaceholderData;
  return {
    html,
    minutes: data?.minutes ?? 0,
    problems: data?.problems ?? [],
    unknown: data?.unknown ?? [],
    isCurrent,
    error,
  };
}

interface PreviewProps {
  readonly entry: ContentEntry;
  readonly preview: ReturnType<typeof usePreview>;
}

/** The text as it would be published; with an error in it, as it was before. */
export function Preview({ entry: { folder, name }, preview: { html, minutes, error } }: PreviewProps) {
  const id = useId();
  return (
    <section className={styles.preview} aria-labelledby={id}>
      <div className={styles.previewHead}>
        <h3 id={id}>{texts.preview}</h3>
        {minutes > 0 && folder === 'blog' && <span className="muted small">{texts.minutes(minutes)}</span>}
      </div>
      {error && <p role="alert">{adminErrorMessage(error)}</p>}
      <RawHtml html={html} className={folder === 'blog' || name === 'about' ? 'prose prose--serif' : 'prose'} />
    </section>
  );
}
