import type { ContentDraft, ContentEntry } from '#api/content/content.contract.ts';
import { callAdmin } from '#site/admin/admin-session.ts';
import { ActionButton } from '#site/admin/AdminList.tsx';
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
  return (
    <div className={styles.notice} role="alert">
      <p>{texts.gone.text}</p>
      <div className="row">
        <ActionButton
          className="button"
          label={texts.gone.make}
          act={async () => {
            const typed = (draft.head.title ?? '').trim();
            const title = typed === '' ? name : typed;
            onMade(await saveEntry(await callAdmin('createArticle', { body: { name, title } }), draft));
            return texts.gone.made;
          }}
        />
      </div>
    </div>
  );
}
