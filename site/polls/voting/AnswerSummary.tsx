import type { Poll } from '#api/polls/polls.contract.ts';
import { percentWhole } from '#domain/poll-results.ts';
import { afterVoteTexts, answersTexts as texts } from '#texts/after-vote.ts';
import { answersPicture } from './answers-picture.ts';
import type { PicturedAnswer } from './answers-picture.ts';
import styles from './AnswerSummary.module.css';
import { SharePicture } from './SharePicture.tsx';

/** Name of the picture as a file. */
const fileName = 'my-answers.png';

interface OwnAnswer extends PicturedAnswer {
  readonly pollId: string;
}

/** A visitor’s answers to these polls, all of which are answered. */
function answersTo(polls: readonly Poll[]): OwnAnswer[] {
  return polls.flatMap(({ id, question, options, totalVotes, userVote }) => {
    const own = options.find((option) => option.id === userVote);
    if (own === undefined) return [];
    const percent = totalVotes === 1 ? null : percentWhole(own.votes, totalVotes);
    return [{ pollId: id, question, answer: own.text, percent }];
  });
}

/** What a visitor answered to all of today’s polls, as a list and as a picture that names no one. */
export function AnswerSummary({ polls }: { readonly polls: readonly Poll[] }) {
  const answers = answersTo(polls);
  const picture = () =>
    answersPicture({
      heading: texts.heading(answers.length),
      answers,
      source: texts.source(location.host),
    });

  return (
    <section className={styles.summary}>
      <h3 className={styles.heading}>{texts.done(answers.length)}</h3>
      <ol className={styles.answers}>
        {answers.map(({ pollId, question, answer, percent }) => (
          <li key={pollId}>
            <span className="muted small" dir="auto">
              {question}
            </span>
            <strong dir="auto">{answer}</strong>
            <span className={styles.share}>{percent === null ? afterVoteTexts.first : texts.share(percent)}</span>
          </li>
        ))}
      </ol>
      <SharePicture draw={picture} fileName={fileName} />
      <p className="muted small">{texts.private}</p>
    </section>
  );
}
