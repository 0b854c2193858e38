import type { CommunityCategory } from '#contract/vocabulary.ts';
import type { Database } from '#platform/database.ts';

/** A public poll that came with the software. Moments in milliseconds. */
export interface SeededPoll {
  readonly id: string;
  readonly createdBy: string;
  readonly question: string;
  readonly description: string;
  readonly category: CommunityCategory | null;
  readonly tags: readonly string[];
  readonly featured: boolean;
  readonly createdAt: number;
  readonly startsAt: number;
  readonly endsAt: number | null;
  readonly closedAt: number | null;
  /** With the votes that it begins with. */
  readonly options: readonly { readonly text: string; readonly votes: number }[];
}

/** Writes public polls with starting votes, which count toward no total. No build is requested: there is no page yet. */
export async function seedCommunityPolls(trx: Database, polls: readonly SeededPoll[]): Promise<void> {
  for (const { id, options, ...poll } of polls) {
    const total = options.reduce((sum, option) => sum + option.votes, 0);
    await trx('ballots').insert({
      id,
      kind: 'community',
      listed: true,
      in_totals: false,
      category: poll.category,
      is_active: poll.closedAt === null,
      starts_at: poll.startsAt,
      ends_at: poll.endsAt,
      closed_at: poll.closedAt,
      base_votes: total,
      total_votes: total,
    });
    await trx('ballot_options').insert(
      options.map((option, position) => ({
        ballot_id: id,
        option_id: `option-${position + 1}`,
        position,
        text: option.text,
        base_votes: option.votes,
        votes: option.votes,
      })),
    );
    await trx('community_polls').insert({
      id,
      question: poll.question,
      description: poll.description,
      visibility: 'public',
      category: poll.category,
      tags: JSON.stringify(poll.tags),
      featured: poll.featured,
      created_by: poll.createdBy,
      created_at: poll.createdAt,
      updated_at: poll.createdAt,
    });
  }
}
