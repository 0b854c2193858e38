import { Suspense } from 'react';
import type { BallotNotesProps } from './BallotNotes.tsx';
import BallotNotes from '#site/polls/voting/notes';

/** {@link BallotNotes}, which browsers load only with a poll that has something to say. */
export function PollNotes(props: BallotNotesProps) {
  const { visibility, protection = 'browser', interventions = [], independent, otherLeader } = props.poll;
  const { optionOrder, votesApart } = props.poll;
  const isQuiet = protection === 'browser' && interventions.length === 0 && independent === undefined;
  const isPlain = visibility === undefined || (optionOrder === undefined && votesApart === undefined);
  if (isQuiet && isPlain && otherLeader === undefined) return null;
  return (
    <Suspense>
      <BallotNotes {...props} />
    </Suspense>
  );
}
