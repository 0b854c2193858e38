/** What the account calls say beyond the sentences that belong to a code. */
export const accountsApiTexts = {
  tooManyAttempts: (seconds: number) =>
    `Too many attempts. Please try again in ${seconds <= 90 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`}.`,
  busy: 'Too many people are signing in right now. Please try again in a moment.',
} as const;
