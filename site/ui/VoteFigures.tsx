import { figuresSentence, independentNote, otherLeader } from '#domain/figure-sentences.ts';
import type { LedPoll } from '#domain/figure-sentences.ts';
import { integrityPath, voteFigureTexts as texts } from '#texts/integrity.ts';
import styles from './VoteFigures.module.css';

interface VoteFiguresProps {
  readonly poll: LedPoll;
  /** Address of the page that explains the figures; null inside a card that is a link as a whole. */
  readonly href?: string | null;
  /** Opens that page in a new tab, announced by this text. */
  readonly newTab?: string;
  /** False where {@link OtherLeader} stands above the finding. */
  readonly withLeader?: boolean;
}

/** That independent votes name another leader than all counted ones; nothing if they agree. */
export function OtherLeader({ poll }: { readonly poll: LedPoll }) {
  const sentence = otherLeader(poll);
  return (
    sentence !== null && (
      <p className={styles.leader} dir="auto">
        {sentence}
      </p>
    )
  );
}

/**
 * The votes received, counted, independent, set aside, and held, with the reasons; nothing if all votes received are counted
 * and none was flagged.
 */
export function VoteFigures({ poll, href = integrityPath, newTab, withLeader = true }: VoteFiguresProps) {
  const sentence = figuresSentence(poll);
  if (sentence === null) return null;
  return (
    <>
      {withLeader && <OtherLeader poll={poll} />}
      <p className={styles.figures}>
        <span data-figures>{sentence}</span>. {href !== null && independentNote(poll)}{' '}
        {href !== null && (
          <a href={href} {...(newTab !== undefined && { target: '_blank', rel: 'noopener' })}>
            {texts.why}
            {newTab !== undefined && <span className="visually-hidden">{newTab}</span>}
          </a>
        )}
      </p>
    </>
  );
}
