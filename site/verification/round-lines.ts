import type { Runoff } from '#domain/verification/instant-runoff.ts';
import { formatCount } from '#site/ui/format-count.ts';
import { recountTexts as texts } from '#texts/verification.ts';

/** The recounted rounds of a ranked poll, as sentences; `labels` are its options, by their number. */
export const roundLines = ({ rounds, winner }: Runoff, labels: readonly string[]): string[] =>
  rounds.map(({ votes, exhausted, eliminated }, round) => {
    const counts = votes.flatMap((count, place) => (count === null ? [] : [`${labels[place]} ${formatCount(count)}`]));
    const outcome =
      eliminated !== null
        ? texts.roundEliminates(labels[eliminated]!)
        : winner === null
          ? texts.roundTies
          : texts.roundWins(labels[winner]!);
    return texts.round(round + 1, counts, formatCount(exhausted), outcome);
  });
