import { figuresSentence } from '#domain/vote-figures.ts';
import type { PollFigures } from '#domain/vote-figures.ts';
import { integrityPath, voteFigureTexts as texts } from '#texts/integrity.ts';
import styles from './VoteFigures.module.css';

interface VoteFiguresProps {
  readonly poll: PollFigures;
  /** Address of the page that explains the figures; null inside a card that is a link as a whole. */
  readonly href?: string | null;
  /** Opens that page in a new tab, announced by this text. */
  readonly newTab?: string;
}

/** The votes received, counted, set aside, and held, with the reasons; nothing if all votes received are counted. */
export function VoteFigures({ poll, href = integrityPath, newTab }: VoteFiguresProps) {
  const sentence = figuresSentence(poll);
  if (sentence === null) return null;
  return (
    <p className={styles.figures}>
      <span data-figures>{sentence}</span>.{' '}
      {href !== null && (
        <a href={href} {...(newTab !== undefined && { target: '_blank', rel: 'noopener' })}>
          {texts.why}
          {newTab !== undefined && <span className="visually-hidden">{newTab}</span>}
        </a>
      )}
    </p>
  );
}
