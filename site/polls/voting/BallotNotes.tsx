import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { circumstanceNames } from '#contract/vocabulary.ts';
import { pinnedBy } from '#domain/pinned-options.ts';
import type { LedPoll } from '#domain/figure-sentences.ts';
import { formatCount } from '#site/ui/format.ts';
import { ProtectionNote } from '#site/ui/ProtectionNote.tsx';
import { VoteFigures } from '#site/ui/VoteFigures.tsx';
import { circumstanceTexts as texts } from '#texts/circumstances.ts';

export interface BallotNotesProps {
  readonly poll: LedPoll &
    Pick<CommunityPoll, 'protection' | 'protectionRaises' | 'isActive' | 'closedAt' | 'optionOrder' | 'votesApart'> & {
      readonly visibility?: unknown;
    };
  /** As of {@link VoteFigures}. */
  readonly href?: string | null;
}

/** How votes on a community poll were cast; of weekly polls, the report says it. */
function Circumstances({ poll: { visibility, isActive, optionOrder, votesApart } }: Pick<BallotNotesProps, 'poll'>) {
  if (visibility === undefined) return null;
  const pinned = isActive ? null : pinnedBy(optionOrder);
  return (
    <>
      {pinned !== null && <p className="muted small">{texts.varied(pinned)}</p>}
      {circumstanceNames.map((name) => {
        const count = votesApart?.[name] ?? 0;
        return (
          count > 0 && (
            <p key={name} className="muted small">
              {texts.apart[name](count, formatCount(count))}
            </p>
          )
        );
      })}
    </>
  );
}

/** What became of the votes of a poll, and what a vote on it needs; most polls have nothing to say here. */
export default function BallotNotes({ poll, href }: BallotNotesProps) {
  return (
    <>
      <VoteFigures poll={poll} {...(href !== undefined && { href })} />
      <ProtectionNote poll={poll} />
      <Circumstances poll={poll} />
    </>
  );
}
