import { useState } from 'react';
import { FormDialog } from '#site/admin/AdminForm.tsx';
import { AdminSection, Loaded } from '#site/admin/AdminSection.tsx';
import { callAdmin } from '#site/admin/admin-session.ts';
import { ListRow, Rows, useAdminQuery } from '#site/admin/AdminList.tsx';
import styles from '#site/admin/Admin.module.css';
import { contentFolders } from '#api/content/content.contract.ts';
import type { ContentSummary } from '#api/content/content.contract.ts';
import { formatMoment } from '#site/ui/format.ts';
import { contentTexts as texts } from '#texts/content-editor.ts';
import { ContentLink, showEntry } from './ContentLink.tsx';

/** All articles and pages with their states. */
export function ContentList() {
  const query = useAdminQuery('contentList');
  const [creating, setCreating] = useState(false);
  return (
    <>
      <p>{texts.intro}</p>
      <div className={styles.actions}>
        <button type="button" className="button button--primary" onClick={() => setCreating(true)}>
          {texts.newArticle}
        </button>
      </div>
      <Loaded query={query}>
        {({ entries }) =>
          contentFolders.map((folder) => {
            const members = entries.filter((entry) => entry.folder === folder);
            return (
              <AdminSection key={folder} anchor={folder} heading={texts.folders[folder]} text={texts.about[folder]}>
                <Rows
                  rows={members}
                  keyOf={({ name }) => name}
                  empty={texts.noArticles}
                  row={(entry) => <Entry entry={entry} />}
                />
              </AdminSection>
            );
          })
        }
      </Loaded>
      {creating && <NewArticle onClose={() => setCreating(false)} />}
    </>
  );
}

function Entry({ entry }: { readonly entry: ContentSummary }) {
  const { title, state, isChanged, publishAt, hasNewerFile, isDeleted, updatedBy, updatedAt } = entry;
  return (
    <ListRow>
      <p className={styles.title}>
        <ContentLink entry={entry}>{title}</ContentLink>
      </p>
      <p className={styles.marks}>
        <span className={state === 'published' && !isDeleted ? 'tag tag--solid' : 'tag'}>
          {isDeleted ? texts.deleted : texts.states[state]}
        </span>
        {isChanged && <span className="tag">{texts.changed}</span>}
        {hasNewerFile && <span className="tag">{texts.newerFile}</span>}
        <span className="muted small">{texts.saved(updatedBy, formatMoment(updatedAt))}</span>
        {publishAt !== null && <span className="muted small">{texts.scheduledFor(formatMoment(publishAt))}</span>}
        {entry.problem !== undefined && <span className="small">{texts.unpublishable(entry.problem)}</span>}
        {entry.folder === 'legal' && <span className="muted small">{reviewText(entry)}</span>}
      </p>
    </ListRow>
  );
}

/** Who reviewed a text last, and when. */
export function reviewText({ reviewedAt, reviewedBy }: Pick<ContentSummary, 'reviewedAt' | 'reviewedBy'>): string {
  return reviewedAt === null || reviewedBy === null
    ? texts.notReviewed
    : texts.reviewed(reviewedBy, formatMoment(reviewedAt));
}

/** Asks for title and address of a new article, and opens it. */
function NewArticle({ onClose }: { readonly onClose: () => void }) {
  const { title, name, nameHint, nameEmpty, noTitle, confirm, cancel, done } = texts.create;
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      cancel={cancel}
      fields={[
        { name: 'title', label: texts.labels.title!, required: noTitle, input: { dir: 'auto' } },
        {
          ...{ name: 'name', label: name, hint: `${nameHint} ${nameEmpty}` },
          input: { autoComplete: 'off', spellCheck: false },
        },
      ]}
      submit={confirm}
      send={async (field) => {
        const typed = field('name');
        const body = { title: field('title'), ...(typed !== '' && { name: typed }) };
        showEntry(await callAdmin('createArticle', { body }));
        return done;
      }}
    />
  );
}
