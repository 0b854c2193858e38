import { useQuery } from '@tanstack/react-query';
import type { ContentDraft } from '#api/content/content.contract.ts';
import { AdminPage } from '#site/admin/AdminPage.tsx';
import { Loaded } from '#site/admin/AdminSection.tsx';
import type { UnsavedDraft } from '#site/admin/draft-saver.ts';
import { useAddress } from '#site/admin/use-address.ts';
import { ApiError } from '#site/client/api.ts';
import { queryClient } from '#site/client/query-client.ts';
import { contentTexts as texts } from '#texts/content-editor.ts';
import { callAdmin } from '#site/admin/admin-session.ts';
import { entryIn, entryQuery } from './content-address.ts';
import type { EntryKey } from './content-address.ts';
import { ContentLink } from './ContentLink.tsx';
import { ContentList } from './ContentList.tsx';
import { Editor } from './Editor.tsx';
import { Gone } from './Gone.tsx';
import { draftEntry } from './use-saved-draft.ts';

/** Articles, About, and the legal pages: their list, or the editor of the one in the address. */
export default function ContentPage() {
  const [query] = useAddress();
  const key = entryIn(query);
  return (
    <AdminPage page="content">{key === null ? <ContentList /> : <Entry key={entryQuery(key)} at={key} />}</AdminPage>
  );
}

function Entry({ at }: { readonly at: EntryKey }) {
  const query = useQuery(
    {
      queryKey: ['content', at.folder, at.name],
      queryFn: ({ signal }) => callAdmin('contentEntry', { params: at, signal }),
      // The editor keeps it up to date; another read would discard what is typed.
      staleTime: Infinity,
      gcTime: 0,
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status === 404),
    },
    queryClient(),
  );
  const isMissing = query.error instanceof ApiError && query.error.status === 404;
  return (
    <>
      <p>
        <ContentLink entry={null}>
          <span aria-hidden="true">←</span> {texts.back}
        </ContentLink>
      </p>
      {isMissing ? (
        <Missing at={at} onMade={() => void query.refetch()} />
      ) : (
        <Loaded query={query}>{(entry) => <Editor read={entry} />}</Loaded>
      )}
    </>
  );
}

/** An entry that was deleted, or never was; what was typed in it before can still be saved. */
function Missing({ at, onMade }: { readonly at: EntryKey; readonly onMade: () => void }) {
  const kept = draftEntry(at);
  const unsaved = kept.read() as UnsavedDraft<ContentDraft> | null;
  if (unsaved === null || at.folder !== 'blog') return <p role="alert">{texts.missing}</p>;
  const made = () => {
    kept.drop();
    onMade();
  };
  return <Gone at={at} draft={{ ...unsaved.base, ...unsaved.changes }} onMade={made} />;
}
