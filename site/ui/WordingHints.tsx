import { wordingHints } from '#domain/wording.ts';
import { wordingTexts as texts } from '#texts/wording.ts';
import styles from './WordingHints.module.css';

/** Hints about the wording of a poll that is being written; blank options don’t count. */
export function WordingHints({
  question,
  options,
}: {
  readonly question: string;
  readonly options: readonly string[];
}) {
  const hints = wordingHints(question, options);
  return (
    <section className={styles.hints} aria-label={texts.heading}>
      <h2>{texts.heading}</h2>
      {/* One announcement per change of the number, not per keystroke. */}
      <p className="visually-hidden" role="status">
        {texts.count(hints.length)}
      </p>
      {hints.length === 0 && <p className="muted small">{question.trim() === '' ? texts.empty : texts.none}</p>}
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
  );
}
