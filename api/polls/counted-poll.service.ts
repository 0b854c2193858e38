import type { Poll } from '#contract/poll.ts';
import { closedMoment, phaseOf } from '#domain/poll-lifecycle.ts';
import { errors } from '#platform/errors.ts';
import { TtlCache } from '#platform/read-cache.ts';
import { voteTextsMs, votePollsKept } from '#api/voting/voting.service.ts';
import type { Tally } from '#api/voting/voting.service.ts';
import { presentPoll } from './poll.presenter.ts';
import { findPoll } from './polls.queries.ts';
import type { PollsContext } from './polls.service.ts';

/** A poll's texts as they were read, written as JSON between its counts. */
interface Kept {
  readonly textsUpdatedAt: number;
  /** Everything that no vote changes, without the closing brace. */
  readonly texts: string;
  /** Each option up to the value of `votes`. */
  readonly options: readonly { readonly id: string; readonly text: string }[];
  /** The counts that were written last, and the JSON up to the value of `userVote`: all voters of one commit share it. */
  latest: { readonly tally: Tally; readonly beginning: string } | null;
}

/**
 * Answers to votes: the counts of the commit that carried the vote, and the poll's texts as kept in memory. Texts
 * are read again when the commit says that they changed, and after `voteTextsMs` at the latest.
 */
export class CountedPolls {
  readonly #context: PollsContext;
  readonly #texts: TtlCache<Kept>;

  constructor(context: PollsContext) {
    this.#context = context;
    const kept = { ms: voteTextsMs, maxEntries: votePollsKept };
    this.#texts = new TtlCache((id) => readTexts(context, id), kept);
  }

  /** The poll as the voter who chose `userVote` sees it after the commit. */
  async present(tally: Tally, userVote: string): Promise<Poll> {
    return JSON.parse(await this.presentJson(tally, userVote)) as Poll;
  }

  /** The same as JSON. */
  async presentJson(tally: Tally, userVote: string): Promise<string> {
    const kept = await this.#texts.get(tally.ballotId, (texts) => belongTogether(texts, tally));
    if (kept.latest?.tally !== tally)
      kept.latest = { tally, beginning: beginningOf(kept, tally, this.#context.clock.now()) };
    return `${kept.latest.beginning}${JSON.stringify(userVote)}}`;
  }
}

function beginningOf({ texts, options }: Kept, tally: Tally, now: number): string {
  const closedAt = closedMoment(tally, now);
  const counted = options.map(({ text }, place) => `${text}${tally.options[place]?.votes ?? 0}}`);
  return (
    `${texts},"options":[${counted.join()}],"totalVotes":${tally.totalVotes}` +
    `,"isActive":${phaseOf(tally, now) !== 'closed'}` +
    `,"closedAt":${closedAt === null ? 'null' : JSON.stringify(new Date(closedAt))}` +
    ',"hasVoted":true,"userVote":'
  );
}

function belongTogether({ textsUpdatedAt, options, latest }: Kept, tally: Tally): boolean {
  if (latest?.tally === tally) return true;
  return (
    textsUpdatedAt === tally.textsUpdatedAt &&
    options.length === tally.options.length &&
    options.every(({ id }, place) => id === tally.options[place]?.id)
  );
}

async function readTexts({ db, clock }: PollsContext, id: string): Promise<Kept> {
  const model = await findPoll(db, id);
  if (!model) throw errors.pollNotFound();
  const poll = presentPoll(model, clock.now());
  // Members that are undefined are left out of the JSON; the counts of each commit take their place.
  const counts = { options: undefined, totalVotes: undefined, isActive: undefined, closedAt: undefined };
  const voter = { hasVoted: undefined, userVote: undefined };
  return {
    textsUpdatedAt: model.updated_at,
    texts: JSON.stringify({ ...poll, ...counts, ...voter }).slice(0, -1),
    options: poll.options.map((option) => ({
      id: option.id,
      text: `${JSON.stringify({ ...option, votes: undefined }).slice(0, -1)},"votes":`,
    })),
    latest: null,
  };
}
