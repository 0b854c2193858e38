import { demonstrationAuthor, demonstrationNotes, demonstrationPolls, demonstrationTag } from '#content/demo/polls.ts';
import type { DemonstrationPoll } from '#content/demo/polls.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { seedDemonstration } from '#api/poll-import/poll-import.service.ts';
import type { StatedPoll } from '#api/poll-import/poll-import.service.ts';
import { loadCommunityDemonstration } from './community-demonstration.service.ts';

const hour = 3_600_000;
const day = 24 * hour;

/**
 * Loads the demonstration polls and community polls when the database has no poll at all, with dates relative to now,
 * so that some of them are always open. Answers how many polls were loaded: 0 when there are some already. Safe when
 * several processes start at once.
 */
export async function loadDemonstration(db: Database, clock: Clock): Promise<number> {
  const now = clock.now();
  return seedDemonstration(
    db,
    clock,
    demonstrationPolls.map((poll) => statedPoll(poll, now)),
    (trx) => loadCommunityDemonstration(trx, now),
  );
}

/** A demonstration poll as a file would state it. Polls open at eight and end at eight in the evening, UTC. */
function statedPoll(poll: DemonstrationPoll, now: number): StatedPoll {
  const today = now - (now % day);
  const startsAt = today + poll.starts * day + 8 * hour;
  return {
    line: 0,
    id: poll.id,
    question: poll.question,
    description: poll.description,
    options: poll.options.map(([text, votes], index) => ({ id: `option-${index + 1}`, text, votes })),
    isActive: poll.ends > 0,
    createdAt: startsAt,
    startsAt,
    endsAt: today + poll.ends * day + 20 * hour,
    closedAt: poll.closed === undefined ? null : today + poll.closed * day + 9 * hour,
    updatedAt: null,
    category: poll.category ?? null,
    tags: [...(poll.tags ?? []), demonstrationTag],
    author: poll.author === undefined ? demonstrationAuthor : poll.author,
    summary: poll.summary ?? null,
    analysis: poll.analysis ?? null,
    methodologyNotes: demonstrationNotes,
    countryBreakdown: (poll.countries ?? []).map(([name, percentage]) => ({ name, percentage })),
  };
}
