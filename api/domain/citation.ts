import type { Poll } from '#contract/poll.ts';
import { sharingTexts } from '#texts/sharing.ts';

const day = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const counts = new Intl.NumberFormat('en-US');

/** One line that says where a result comes from and who answered; `report` is the address of the report. */
export function citationOf(
  poll: Pick<Poll, 'question' | 'author' | 'closedAt' | 'endsAt' | 'totalVotes'>,
  siteName: string,
  report: string,
): string {
  const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
  return sharingTexts.cite.line({
    author: poll.author === null || oneLine(poll.author) === '' ? siteName : oneLine(poll.author),
    question: oneLine(poll.question),
    siteName,
    closed: day.format(new Date(poll.closedAt ?? poll.endsAt)),
    votes: sharingTexts.cite.votes(counts.format(poll.totalVotes), poll.totalVotes),
    report,
  });
}
