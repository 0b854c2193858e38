import type { ReactNode } from 'react';
import { useId } from 'react';
import { WordingHints } from '#site/ui/WordingHints.tsx';
import { WrittenText } from '#site/ui/WrittenText.tsx';
import { severalTexts } from '#texts/choices.ts';
import { rankedTexts } from '#texts/ranked.ts';
import { createPollTexts } from '#texts/community.ts';
import { writtenTexts } from '#texts/write-ins.ts';
import { takesWriteIns } from './ChoiceFields.tsx';
import styles from './CreatePoll.module.css';
import type { Draft } from './create-poll-draft.ts';

/** The poll as voters will see it, and hints about its wording. */
export function PollPreview({ draft }: { readonly draft: Draft }): ReactNode {
  const id = useId();
  const options = draft.options.map(({ text }) => text.trim()).filter((text) => text !== '');
  const shown = options.length > 0 ? options : createPollTexts.previewOptions;
  const { method, minChoices: min = 1, maxChoices: max = shown.length } = draft;
  return (
    <aside className={styles.aside} aria-label={createPollTexts.preview}>
      <section className={styles.preview} aria-labelledby={id}>
        <p className="kicker">{createPollTexts.preview}</p>
        <h2 id={id} dir="auto">
          {draft.question.trim() === '' ? createPollTexts.previewQuestion : draft.question}
        </h2>
        {draft.description.trim() !== '' && <WrittenText text={draft.description.trim()} />}
        {method !== undefined && method !== 'single' && (
          <p className="muted small">{(method === 'ranked' ? rankedTexts : severalTexts).rule({ min, max })}</p>
        )}
        <ul className={styles.previewOptions} data-method={method}>
          {shown.map((text, index) => (
            <li key={index} dir="auto">
              {text}
            </li>
          ))}
          {takesWriteIns(draft) && <li>{writtenTexts.other}</li>}
        </ul>
      </section>
      <WordingHints question={draft.question} options={options} />
    </aside>
  );
}
