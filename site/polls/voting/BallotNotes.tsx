import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { LedPoll } from '#domain/figure-sentences.ts';
import { ProtectionNote } from '#site/ui/ProtectionNote.tsx';
import { VoteFigures } from '#site/ui/VoteFigures.tsx';

export interface BallotNotesProps {
  readonly poll: LedPoll & Pick<CommunityPoll, 'protection' | 'protectionRaises' | 'isActive' | 'closedAt'>;
  /** As of {@link VoteFigures}. */
  readonly href?: string | null;
}

/** What became of the votes of a poll, and what a vote on it needs; most polls have nothing to say here. */
export default function BallotNotes({ poll, href }: BallotNotesProps) {
  return (
    <>
      <VoteFigures poll={poll} {...(href !== undefined && { href })} />
      <ProtectionNote poll={poll} />
    </>
  );
}
