import type { PollTexts } from '#contract/managed-poll.ts';
import type { Poll } from '#contract/poll.ts';
import { trimText } from '#domain/visible-text.ts';

/** A poll's texts as they are being written. */
export interface PollTextsDraft {
  readonly question: string;
  readonly description: string;
  readonly category: string;
  readonly author: string;
  /** One on each line: a tag may have a comma. */
  readonly tags: string;
  readonly summary: string;
  readonly analysis: string;
  readonly methodologyNotes: string;
  /** By option id. */
  readonly options: Readonly<Record<string, string>>;
}

export type DraftText = Exclude<keyof PollTextsDraft, 'options'>;

/** The texts that a poll has. */
export function draftOf(poll: Poll): PollTextsDraft {
  return {
    question: poll.question,
    description: poll.description,
    category: poll.category ?? '',
    author: poll.author ?? '',
    tags: poll.tags.join('\n'),
    summary: poll.summary ?? '',
    analysis: poll.analysis ?? '',
    methodologyNotes: poll.methodologyNotes ?? '',
    options: Object.fromEntries(poll.options.map(({ id, text }) => [id, text])),
  };
}

/** What was written anew, as the call takes it; null when nothing was. */
export function changesIn(draft: PollTextsDraft, poll: Poll): PollTexts | null {
  const { options, tags, ...texts } = draft;
  const before = draftOf(poll);
  const changed: PollTexts = Object.fromEntries(
    Object.entries(texts).filter(([name, text]) => text !== before[name as DraftText]),
  );
  if (tags !== before.tags)
    changed.tags = tags
      .split('\n')
      .map(trimText)
      .filter((tag) => tag !== '');
  const reworded = poll.options.flatMap(({ id, text }) => {
    const now = options[id] ?? text;
    return now === text ? [] : [{ id, text: now }];
  });
  if (reworded.length > 0) changed.options = reworded;
  return Object.keys(changed).length === 0 ? null : changed;
}
