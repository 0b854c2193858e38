import { useState } from 'react';
import type { Poll } from '#api/polls/polls.contract.ts';
import { percentWhole } from '#domain/poll-results.ts';
import { saveFile } from '#site/client/save-file.ts';
import { dispatchVisitEvent } from '#site/ui/visit-event.ts';
import { afterVoteTexts, answersTexts as texts } from '#texts/after-vote.ts';
import { answersPicture } from './answers-picture.ts';
import type { OwnAnswer } from './answers-picture.ts';
import styles from './AnswerSummary.module.css';
import { pngOf } from './svg-to-png.ts';

/** Name of the picture as a file. */
const fileName = 'my-answers.png';

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
  const [failed, setFailed] = useState(false);
  const answers = answersTo(polls);
  const canShare = typeof navigator.canShare === 'function';

  const handlePicture = async (send: (picture: Blob) => void | Promise<void>) => {
    setFailed(false);
    const svg = answersPicture(answers, location.host);
    try {
      // A data URL, because the content security policy forbids images from blobs.
      await send(await pngOf(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`));
    } catch (error) {
      setFailed((error as Error).name !== 'AbortError');
    }
  };
  const share = async (picture: Blob) => {
    const files = [new File([picture], fileName, { type: picture.type })];
    if (navigator.canShare({ files })) {
      await navigator.share({ files });
      dispatchVisitEvent('share');
    } else saveFile(fileName, picture);
  };

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
      <p className={`no-print ${styles.buttons}`}>
        {canShare && (
          <button type="button" className="button button--primary" onClick={() => void handlePicture(share)}>
            {texts.sharePicture}
          </button>
        )}
        <button
          type="button"
          className="button"
          onClick={() => void handlePicture((picture) => saveFile(fileName, picture))}
        >
          {texts.downloadPicture}
        </button>
      </p>
      <p className="muted small">{texts.private}</p>
      <p className={styles.failed} role="status">
        {failed && texts.failed}
      </p>
    </section>
  );
}
