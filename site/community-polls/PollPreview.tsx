import type { ReactNode } from 'react';
import { useId } from 'react';
import { wordingHints } from '#domain/wording.ts';
import { createPollTexts } from '#texts/community.ts';
import { wordingTexts as texts } from '#texts/wording.ts';
import styles from './CreatePoll.module.css';
import type { Draft } from './create-poll-storage.ts';

/** The poll as voters will see it, and hints about its wording. */
export function PollPreview({ draft }: { readonly draft: Draft }): ReactNode {
  const id = useId();
  const options = draft.options.map(({ text }) => text.trim()).filter((text) => text !== '');
  const hints = wordingHints(draft.question, options);
  return (
    <aside className={styles.aside} aria-label={createPollTexts.preview}>
      <section className={styles.preview} aria-labelledby={id}>
        <p className="kicker">{createPollTexts.preview}</p>
        <h2 id={id} dir="auto">
          {draft.question.trim() === '' ? createPollTexts.previewQuestion : draft.question}
        </h2>
        {draft.description.trim() !== '' && (
          <p className={styles.previewText} dir="auto">
            {draft.description}
          </p>
        )}
        <ul className={styles.previewOptions}>
          {(options.length > 0 ? options : createPollTexts.previewOptions).map((text, index) => (
            <li key={index} dir="auto">
              {text}
            </li>
          ))}
        </ul>
      </section>
      <section className={styles.hints} aria-label={texts.heading}>
        <h2>{texts.heading}</h2>
        {/* One announcement per change of the number, not per keystroke. */}
        <p className="visually-hidden" role="status">
          {texts.count(hints.length)}
        </p>
        {hints.length === 0 && <p className="muted small">{texts.none}</p>}
        <ul>
          {hints.map(({ problem, found }) => {
            const { title, reason, article } = texts.problems[problem];
            return (
              <li key={problem}>
                <h3>{title}</h3>
                {found !== '' && <p className="muted small">{texts.found(found)}</p>}
                <p>{reason}</p>
                <p>
                  <a href={`/blog/${article.slug}`} target="_blank" rel="noopener">
                    {texts.read(article.title)}
                  </a>
                </p>
              </li>
            );
          })}
        </ul>
      </section>
    </aside>
  );
}
