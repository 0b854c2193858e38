import { Suspense } from 'react';
import type { BallotNotesProps } from './BallotNotes.tsx';
import BallotNotes from '#site/polls/voting/notes';

/** {@link BallotNotes}, which browsers load only with a poll that has something to say. */
export function PollNotes(props: BallotNotesProps) {
  const { protection = 'browser', interventions = [], independent, otherLeader } = props.poll;
  const isQuiet = protection === 'browser' && interventions.length === 0 && independent === undefined;
  if (isQuiet && otherLeader === undefined) return null;
  return (
    <Suspense>
      <BallotNotes {...props} />
    </Suspense>
  );
}
