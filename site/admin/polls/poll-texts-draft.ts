import type { PollTexts } from '#contract/managed-poll.ts';
import type { Poll } from '#contract/poll.ts';
import { trimText } from '#domain/visible-text.ts';

/** The texts of a poll while they are edited. */
interface PollTextsDraft {
  readonly question: string;
  readonly description: string;
  readonly category: string;
  readonly author: string;
  /** One per line, since a tag may contain a comma. */
  readonly tags: string;
  readonly series: string;
  readonly summary: string;
  readonly analysis: string;
  readonly methodologyNotes: string;
  readonly publishBallots: boolean;
  /** By option id. */
  readonly options: Readonly<Record<string, string>>;
}

export type DraftText = Exclude<keyof PollTextsDraft, 'options' | 'publishBallots'>;

/** The current texts of a poll. */
export function draftOf(poll: Poll): PollTextsDraft {
  return {
    question: poll.question,
    description: poll.description,
    category: poll.category ?? '',
    author: poll.author ?? '',
    tags: poll.tags.join('\n'),
    series: poll.series ?? '',
    summary: poll.summary ?? '',
    analysis: poll.analysis ?? '',
    methodologyNotes: poll.methodologyNotes ?? '',
    publishBallots: poll.publishBallots ?? true,
    options: Object.fromEntries(poll.options.map(({ id, text }) => [id, text])),
  };
}

/** The changed texts as the request body; null if nothing changed. */
export function changesIn(draft: PollTextsDraft, poll: Poll): PollTexts | null {
  const { options, tags, publishBallots, ...texts } = draft;
  const before = draftOf(poll);
  const changed: PollTexts = Object.fromEntries(
    Object.entries(texts).filter(([name, text]) => text !== before[name as DraftText]),
  );
  if (publishBallots !== before.publishBallots) changed.publishBallots = publishBallots;
  if (tags !== before.tags)
    changed.tags = tags
      .split('\n')
      .map(trimText)
      .filter((tag) => tag !== '');
  const changedOptions = poll.options.flatMap(({ id, text }) => {
    const now = options[id] ?? text;
    return now === text ? [] : [{ id, text: now }];
  });
  if (changedOptions.length > 0) changed.options = changedOptions;
  return Object.keys(changed).length === 0 ? null : changed;
}
