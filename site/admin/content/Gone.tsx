import type { ContentDraft, ContentEntry } from '#contract/content.ts';
import { callAdmin, useAdminMutation } from '#site/admin/admin-session.ts';
import { toast } from '#site/ui/toasts.ts';
import { contentTexts as texts } from '#texts/content-editor.ts';
import type { EntryKey } from './content-address.ts';
import styles from './Content.module.css';
import { saveEntry } from './use-saved-draft.ts';

interface GoneProps {
  readonly at: EntryKey;
  readonly draft: ContentDraft;
  readonly onMade: (entry: ContentEntry) => void;
}

/** An article that somebody else has deleted, with text that was typed here and could not be saved. */
export function Gone({ at: { name }, draft, onMade }: GoneProps) {
  const { mutate, isPending } = useAdminMutation(
    async () => {
      const typed = (draft.head.title ?? '').trim();
      const title = typed === '' ? name : typed;
      return saveEntry(await callAdmin('createArticle', { body: { name, title } }), draft);
    },
    (made) => {
      onMade(made);
      toast(texts.gone.made);
    },
  );
  return (
    <div className={styles.notice} role="alert">
      <p>{texts.gone.text}</p>
      <div className="row">
        <button type="button" className="button" aria-disabled={isPending} onClick={() => isPending || mutate()}>
          {texts.gone.make}
        </button>
      </div>
    </div>
  );
}
