import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { formatCount, formatMoment } from '#site/ui/format.ts';
import { useShownZone } from '#site/ui/RelativeTime.tsx';
import { neededText, raisedText } from '#texts/protection-note.ts';

interface ProtectionNoteProps {
  readonly poll: Pick<CommunityPoll, 'protection' | 'protectionRaises' | 'isActive' | 'closedAt'>;
}

/** What a vote on the poll needs or needed, and since when it was raised; nothing for any browser. */
export function ProtectionNote({
  poll: { protection, protectionRaises = [], isActive, closedAt },
}: ProtectionNoteProps) {
  const zone = useShownZone();
  if (protection === undefined || protection === 'browser') return null;
  const closed = !isActive || closedAt !== null;
  // Whoever can open such a poll is invited.
  if (protection === 'invited' && !closed && protectionRaises.length === 0) return null;
  return (
    <p className="muted small" data-protection={protection}>
      {protectionRaises.length === 0
        ? neededText(protection, closed)
        : protectionRaises
            .map(({ level, at, votesBefore }) =>
              raisedText(level, formatMoment(at, zone), formatCount(votesBefore), votesBefore === 1, closed),
            )
            .join(' ')}
    </p>
  );
}
