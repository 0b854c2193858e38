/** What `npm run moderate` says to the operator. */
export const moderateTexts = {
  usage: `Shows reported comments of community polls, hides comments and shows them again.

  npm run moderate -- reported            lists reported comments, newest report first
  npm run moderate -- hide COMMENT_ID     hides a comment from everybody
  npm run moderate -- unhide COMMENT_ID   shows it again
  npm run moderate -- --help              shows this text

A hidden comment stays in the database and in the list. The command ends with 0 when the comment is as it was asked
for, with 1 when there is no such comment, and with 2 when it was not understood.`,
  noVerb: 'What shall be done? Say reported, hide COMMENT_ID or unhide COMMENT_ID (--help shows all).',
  unknownVerb: (verb: string) =>
    `"${verb}" is not something that this command does. Say reported, hide COMMENT_ID or unhide COMMENT_ID.`,
  noComment: (verb: string) =>
    `Which comment? Name its id: npm run moderate -- ${verb} COMMENT_ID (npm run moderate -- reported lists them).`,
  tooManyWords: (verb: string, most: number) =>
    most === 0 ? `"${verb}" takes no more words.` : `"${verb}" takes one comment at a time.`,
  missing: (id: string) => `There is no comment ${id}. Nothing was changed; its author may have deleted it.`,
  outcomes: {
    hide: { changed: (id: string) => `${id} is hidden now.`, unchanged: (id: string) => `${id} was hidden already.` },
    unhide: { changed: (id: string) => `${id} is shown again.`, unchanged: (id: string) => `${id} is not hidden.` },
  },
  none: 'No comment was reported.',
  title: (count: number) =>
    count === 1
      ? 'One comment was reported.'
      : `${count.toLocaleString('en')} comments were reported; the newest report comes first.`,
  more: (count: number) => `… and ${count.toLocaleString('en')} more with older reports.`,
  heads: {
    id: 'comment',
    state: 'state',
    reports: 'reports',
    reportedAt: 'last report (UTC)',
    author: 'author',
    poll: 'poll',
  },
  states: { hidden: 'hidden', shown: 'shown' },
  text: 'text',
  reasons: 'reasons',
  noReasons: 'none given',
} as const;
