/** Fields for a date with a time. */
export const timeFieldTexts = {
  /** The name of the field for the time. */
  time: (label: string) => `${label}, time`,
  zone: (zone: string) => `Time zone: ${zone}.`,
  withoutTime: { start: 'Without a time, from 00:00.', end: 'Without a time, until 23:59.' },
  incomplete: (label: string) => `${label} is not a complete date and time`,
  skipped: (zone: string) =>
    `This time doesn’t exist: clocks in ${zone} are set forward then, and skip it. Choose an earlier or a later one.`,
} as const;
