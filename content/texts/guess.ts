const points = (count: number) => (count === 1 ? '1 point' : `${count} points`);

/** Guessing a result before seeing it. */
export const guessTexts = {
  heading: 'What does the majority say?',
  how: 'Choose the answer you think is leading, and drag its slider to the share you expect.',
  notGuessed: '–',
  percent: (percent: number) => `${percent}%`,
  show: 'Show the Results',
  skip: 'Skip',

  right: (option: string, guessed: number, share: number) =>
    guessed === share
      ? `You guessed it: “${option}” leads with ${share}%.`
      : `You guessed ${guessed}% for “${option}”. It leads with ${share}%.`,
  wrong: (guess: { option: string; guessed: number; share: number; leader: string; lead: number }) =>
    `You guessed ${guess.guessed}% for “${guess.option}”. It has ${guess.share}%; “${guess.leader}” leads with ${guess.lead}%.`,
  closerThan: (percent: number, others: number, formatted: string) =>
    others === 0
      ? 'You’re the first to guess.'
      : others === 1
        ? percent === 0
          ? 'The only other guess was as close or closer.'
          : 'Closer than the only other guess.'
        : percent === 0
          ? 'All the other guesses were as close or closer.'
          : `Closer than ${percent}% of ${formatted} other guesses.`,
  accuracy: (off: number, guesses: number, formatted: string) =>
    guesses < 2 ? '' : `In ${formatted} guesses you were off by ${points(off)} on average.`,

  /** On the profile. */
  profile: {
    heading: 'Guessing Results',
    text: (off: number, guesses: number, formatted: string) =>
      `${guesses === 1 ? 'In 1 guess' : `In ${formatted} guesses`} you were off by ${points(off)} on average.`,
  },
} as const;
