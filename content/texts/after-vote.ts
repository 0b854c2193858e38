const percent = (share: number) => (share === 0 ? 'less than 1%' : `${share}%`);
const points = (count: number) => (count === 0 ? 'less than a point' : count === 1 ? '1 point' : `${count} points`);

/** How a voter’s answer is doing; domain/standing.ts picks the sentence. Whole percentages and percentage points. */
export const standingTexts = {
  everyone: (votes: number) => `You’re with everyone so far: all ${votes} votes went to this answer.`,
  tied: (share: number, leaders: number) =>
    leaders === 2
      ? `You’re with ${percent(share)}, tied for the lead.`
      : `You’re with ${percent(share)}, in a tie of ${leaders} answers for the lead.`,
  leading: (share: number, ahead: number) => `You’re with the leader: ${percent(share)}, ahead by ${points(ahead)}.`,
  with: (share: number, behind: string) => `You’re with ${percent(share)}; ${behind}.`,
  alone: (behind: string) => `You’re the only one with this answer; ${behind}.`,
  behind: (count: number, leaders: number) =>
    leaders === 1 ? `the leader is ahead by ${points(count)}` : `the leaders are ahead by ${points(count)}`,
} as const;

/** The card after a vote. */
export const afterVoteTexts = {
  /** In place of the results of a single vote. */
  first: 'You’re the first',
  firstNote: 'Results appear here as others vote.',
  ends: 'Ends',
  /** The switch to guess results: not with the other texts about guesses, which few visitors load. */
  guessFirst: 'Guess results before seeing them',
  next: 'Next Poll',
  answered: (answered: number, total: number) => `${answered} of ${total}`,
  /** For screen readers: how many of today’s polls are answered. */
  answeredLong: (answered: number, total: number) => `${answered} of ${total} polls answered`,
} as const;

/** A visitor’s answers to all of today’s polls. */
export const answersTexts = {
  link: 'See Your Answers',
  done: (polls: number) => `You answered all ${polls} polls`,
  share: (percent: number) => `${percent}% chose this`,
  sharePicture: 'Share Picture',
  downloadPicture: 'Download Picture',
  private: 'The picture shows these answers and doesn’t say whose they are. It is drawn on your device.',
  failed: 'This browser couldn’t draw the picture.',
  /** In the picture. */
  heading: (polls: number) => `My answers to ${polls} polls`,
  source: (host: string) => `${host} · How would you answer?`,
} as const;
