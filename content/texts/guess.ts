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
  /** How close this person’s guesses are: `within` so many points on average. */
  calibration: (within: number, guesses: number, formatted: string) => {
    const read = within === 0 ? 'You read the crowd to the point' : `You read the crowd within ${points(within)}`;
    return guesses === 1 ? `${read}, in 1 guess.` : `${read} on average, in ${formatted} guesses.`;
  },
  all: 'All your guesses',

  /** The picture to share. */
  picture: {
    fileName: 'my-guess.png',
    heading: 'I guessed what the crowd says',
    guess: (percent: number) => `My guess: ${percent}%`,
    source: (host: string) => `${host} · How well do you read the crowd?`,
  },

  /** On the profile. */
  profile: 'Guessing Results',

  /** On the page of receipts, about the guesses that this browser has kept. */
  kept: {
    heading: 'My Guesses',
    lede: 'Your guesses stay in this browser, each with the result at that time. On the bars, the line is your guess.',
    row: (percent: number, option: string, share: number) =>
      percent === share
        ? `You guessed ${percent}% for “${option}”, which it had.`
        : `You guessed ${percent}% for “${option}”, which had ${share}%.`,
    forget: 'Forget guesses on this device',
    confirm: 'Forget all guesses on this device? Nobody can bring them back.',
    forgotten: 'Forgotten on this device.',
  },
} as const;
