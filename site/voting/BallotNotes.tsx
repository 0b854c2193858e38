import { ProtectionNote } from '#site/ui/ProtectionNote.tsx';
import { VoteFigures } from '#site/ui/VoteFigures.tsx';
import type { BallotData } from './ballot.ts';

/** What became of the votes of a poll, and what a vote on it needs; most polls have nothing to say here. */
export default function BallotNotes({ poll }: { readonly poll: BallotData }) {
  return (
    <>
      <VoteFigures poll={poll} />
      <ProtectionNote poll={poll} />
    </>
  );
}
