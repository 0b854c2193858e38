import { useEffect, useRef } from 'react';
import type { Guessed } from '#api/polls/guesses/guesses.contract.ts';
import type { PollOption } from '#api/polls/polls.contract.ts';
import { guessError, readWithin } from '#domain/guess.ts';
import type { GuessedLead } from '#domain/guess.ts';
import { leadOf, percentWhole } from '#domain/poll-results.ts';
import { SharePicture } from './SharePicture.tsx';
import { answersPicture } from './answers-picture.ts';
import { formatCount } from '#site/ui/format.ts';
import { guessTexts as texts } from '#texts/guess.ts';
import { guessing, storeGuessing } from './guesses.ts';
import type { Guessing } from './guesses.ts';
import styles from './GuessFirst.module.css';

interface GuessSlidersProps {
  /** The options to choose from. */
  readonly options: readonly Pick<PollOption, 'id' | 'text'>[];
  readonly guess: GuessedLead | null;
  readonly onGuess: (guess: GuessedLead) => void;
}

/** Asks a voter, before the results appear, which option leads and with which share: the slider that is moved is the guess. */
export function GuessSliders({ options, guess, onGuess }: GuessSlidersProps) {
  const heading = useRef<HTMLParagraphElement>(null);
  // The button that had the focus is gone.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const even = Math.round(100 / options.length);
  return (
    <div className={styles.guess}>
      <div>
        <p ref={heading} className={styles.heading} tabIndex={-1}>
          {texts.heading}
        </p>
        <p className="muted small">{texts.how}</p>
      </div>
      {options.map(({ id, text }) => {
        const percent = guess?.optionId === id ? guess.percent : null;
        return (
          <label key={id} className={`${styles.row}${percent === null ? '' : ` ${styles.guessed}`}`}>
            <span dir="auto">{text}</span>
            <span className={styles.percent} aria-hidden="true">
              {percent === null ? texts.notGuessed : texts.percent(percent)}
            </span>
            <input
              type="range"
              min={0}
              max={100}
              value={percent ?? even}
              aria-label={text}
              aria-valuetext={percent === null ? texts.notGuessed : texts.percent(percent)}
              onChange={({ target }) => onGuess({ optionId: id, percent: target.valueAsNumber })}
            />
          </label>
        );
      })}
    </div>
  );
}

interface GuessButtonsProps {
  readonly guess: GuessedLead | null;
  /** Ends the guess; null if it was skipped. */
  readonly onDone: (guess: GuessedLead | null) => void;
}

/** The buttons that show the results, with a guess or without. */
export function GuessButtons({ guess, onDone }: GuessButtonsProps) {
  return (
    <div className={styles.buttons}>
      <button
        type="button"
        className="button button--primary"
        disabled={guess === null}
        onClick={() => guess && onDone(guess)}
      >
        {texts.show}
      </button>
      <button type="button" className="button" onClick={() => onDone(null)}>
        {texts.skip}
      </button>
    </div>
  );
}

/** A result with its counts. */
interface GuessedPoll {
  readonly id: string;
  readonly question: string;
  readonly options: readonly PollOption[];
  readonly totalVotes: number;
}

/** Adds a guess of a poll, whose page has this path, to those of this device. */
export function addGuess(lead: GuessedLead, poll: GuessedPoll, path: string): void {
  const points = guessError(lead, poll);
  const option = poll.options.find(({ id }) => id === lead.optionId);
  if (points === null || option === undefined) return;
  const before = guessing();
  const guess = {
    ...{ poll: poll.id, question: poll.question, path },
    ...{ option: option.text, percent: lead.percent, share: percentWhole(option.votes, poll.totalVotes) },
  };
  const made = [guess, ...before.made];
  storeGuessing({ guesses: before.guesses + 1, points: before.points + points, made });
}

interface GuessResultProps {
  readonly result: GuessedPoll;
  readonly lead: GuessedLead;
  readonly response: Guessed | undefined;
  readonly isPending: boolean;
  /** This visitor’s guesses from this device. */
  readonly device: Guessing;
}

/** A guess against the result, other guesses, and this visitor’s accuracy over time. */
export function GuessResult({ result, lead, response, isPending, device }: GuessResultProps) {
  const option = result.options.find(({ id }) => id === lead.optionId);
  const [leader] = leadOf(result).leaders;
  if (option === undefined || leader === undefined) return null;
  const share = percentWhole(option.votes, result.totalVotes);
  const accuracy = response?.accuracy ?? device;
  const within = readWithin(accuracy);
  const picture = () =>
    answersPicture({
      heading: texts.picture.heading,
      answers: [{ question: result.question, answer: option.text, percent: share, guess: lead.percent }],
      source: texts.picture.source(location.host),
    });
  return (
    <div className={styles.result}>
      <svg className={styles.bar} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect className={styles.ground} y="3" width="100" height="4" />
        <rect className={styles.share} y="3" width={Math.min(100, share)} height="4" />
        <rect className={styles.mark} x={lead.percent * 0.99} width="1" height="10" />
      </svg>
      <p>
        {option.votes === leader.votes
          ? texts.right(option.text, lead.percent, share)
          : texts.wrong({
              ...{ option: option.text, guessed: lead.percent, share },
              ...{ leader: leader.text, lead: percentWhole(leader.votes, result.totalVotes) },
            })}
      </p>
      {response && <p>{texts.closerThan(response.closerThan, response.guessers, formatCount(response.guessers))}</p>}
      {!isPending && within !== null && (
        <p className="small">
          {texts.calibration(within, accuracy.guesses, formatCount(accuracy.guesses))}{' '}
          <a href="/my-votes#guesses">{texts.all}</a>
        </p>
      )}
      <SharePicture draw={picture} fileName={texts.picture.fileName} small />
    </div>
  );
}
