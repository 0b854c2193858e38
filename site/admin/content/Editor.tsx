import { useId, useRef, useState } from 'react';
import type { ContentEntry } from '#api/content/content.contract.ts';
import adminStyles from '#site/admin/Admin.module.css';
import { adminErrorMessage, callAdmin } from '#site/admin/admin-session.ts';
import { ActionButton } from '#site/admin/AdminList.tsx';
import { useLostFocus } from '#site/admin/use-address.ts';
import { Field } from '#site/ui/Field.tsx';
import { contentTexts as texts } from '#texts/content-editor.ts';
import styles from './Content.module.css';
import { showEntry } from './ContentLink.tsx';
import { reviewText } from './ContentList.tsx';
import { Diff } from './Diff.tsx';
import { Gone } from './Gone.tsx';
import { fieldId, HeadFields } from './HeadFields.tsx';
import { History } from './History.tsx';
import { Preview, usePreview } from './Preview.tsx';
import { PublishActions } from './PublishActions.tsx';
import { TextField } from './TextField.tsx';
import { saveText, useSavedDraft } from './use-saved-draft.ts';
import type { SavedDraft } from './use-saved-draft.ts';

/** The editor of an article or page: fields, text with preview, and what can be done with it. */
export function Editor({ read }: { readonly read: ContentEntry }) {
  const saved = useSavedDraft(read);
  const { entry, draft, state, change } = saved;
  const preview = usePreview(entry, draft);
  const fields = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useLostFocus(() => heading.current);
  const title = draft.head.title ?? entry.name;
  const { problems } = preview;
  if (entry.isDeleted && entry.newerFile !== null) return <NewerFile saved={saved} file={entry.newerFile} />;
  return (
    <section className={styles.editor} aria-label={texts.form(title)}>
      <h2 ref={heading} dir="auto" tabIndex={-1}>
        {title}
      </h2>
      <p className={adminStyles.marks}>
        <span className="tag">{texts.states[entry.state]}</span>
        {entry.isChanged && <span className="tag">{texts.changed}</span>}
        <span className="muted small" role="status">
          {state.kind === 'conflict' || state.isGone ? '' : saveText(state)}
        </span>
        {state.kind === 'failed' && !state.isGone && (
          <button type="button" className="button button--small" onClick={() => void saved.save()}>
            {texts.tryAgain}
          </button>
        )}
      </p>
      {state.kind === 'conflict' && <Conflict saved={saved} />}
      {state.isGone && <Gone at={entry} draft={draft} onMade={saved.forget} />}
      {entry.newerFile !== null && <NewerFile saved={saved} file={entry.newerFile} />}
      {!state.isGone && <PublishActions {...{ saved, preview, fields }} />}
      <form className={adminStyles.form} noValidate onSubmit={(event) => event.preventDefault()}>
        {entry.canRename && <NameField saved={saved} />}
        <HeadFields
          {...{ entry, problems }}
          id={fields}
          head={draft.head}
          onChange={(head) => change({ ...draft, head })}
        />
      </form>
      <div className={styles.columns}>
        <TextField
          id={fieldId(fields, null)}
          text={draft.text}
          problems={problems}
          unknown={preview.unknown}
          onChange={(text) => change({ ...draft, text })}
        />
        <Preview entry={entry} preview={preview} />
      </div>
      {entry.folder === 'legal' && <Review saved={saved} />}
      {entry.published !== null && entry.published !== entry.source && (
        <details className={adminStyles.guide}>
          <summary>{texts.changes}</summary>
          <Diff before={entry.published} after={entry.source} />
        </details>
      )}
      <History saved={saved} />
    </section>
  );
}

/** Somebody else has saved meanwhile. */
function Conflict({ saved: { state, resolve } }: { readonly saved: SavedDraft }) {
  return (
    <div className={styles.notice} role="alert">
      <p>{saveText(state)}</p>
      <p className="muted small">{texts.conflict.copy}</p>
      <div className="row">
        <button type="button" className="button" onClick={() => resolve(false)}>
          {texts.conflict.load}
        </button>
        <button type="button" className="button" onClick={() => resolve(true)}>
          {texts.conflict.keep}
        </button>
      </div>
    </div>
  );
}

/** The file of a text that was edited here has changed, too. */
function NewerFile({ saved, file }: { readonly saved: SavedDraft; readonly file: string }) {
  const { entry, show, saveThen } = saved;
  const answer = (label: string, use: boolean) => (
    <ActionButton
      className="button"
      label={label}
      act={async () => {
        const answered = await saveThen(({ folder, name, version }) =>
          callAdmin('answerNewerFile', { params: { folder, name }, body: { version, use } }),
        );
        if (answered === null) return undefined;
        // A deleted article stays deleted.
        if (answered.isDeleted) showEntry(null, { replace: true });
        else show(answered);
        return use ? texts.file.used : texts.file.kept;
      }}
    />
  );
  return (
    <div className={styles.notice}>
      <h3>{texts.file.title}</h3>
      <p>{texts.file.text}</p>
      <Diff before={entry.source} after={file} />
      <div className="row">
        {answer(texts.file.use, true)}
        {answer(texts.file.keep, false)}
      </div>
    </div>
  );
}

/** The address of an article that nobody can know yet; saved when the field is left. */
function NameField({ saved: { entry, rename } }: { readonly saved: SavedDraft }) {
  const id = useId();
  const [typed, setTyped] = useState(entry.name);
  const [problem, setProblem] = useState<string | null>(null);
  const leave = async () => {
    if (typed === entry.name) setProblem(null);
    else
      await rename(typed).then(
        (renamed) => renamed && showEntry(renamed, { replace: true }),
        (error: unknown) => setProblem(adminErrorMessage(error)),
      );
  };
  return (
    <Field id={id} label={texts.create.name} hint={texts.create.nameHint} problem={problem ?? undefined}>
      {(control) => (
        <input
          {...control}
          className="input"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onBlur={() => void leave()}
        />
      )}
    </Field>
  );
}

/** Who reviewed a legal page, and a button to say that it is right. */
function Review({ saved: { entry, show, saveThen } }: { readonly saved: SavedDraft }) {
  return (
    <div className={styles.notice}>
      <p>{reviewText(entry)}</p>
      <p className="muted small">{texts.reviewHint}</p>
      <div className="row">
        <ActionButton
          className="button"
          label={texts.review}
          act={async () => {
            const reviewed = await saveThen(({ folder, name, version }) =>
              callAdmin('reviewContent', { params: { folder, name }, body: { version } }),
            );
            if (reviewed === null) return undefined;
            show(reviewed);
            return texts.reviewDone;
          }}
        />
      </div>
    </div>
  );
}
