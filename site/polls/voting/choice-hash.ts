/** The hash of a link to the page of an open poll that marks an option there. */
export const choiceHash = (optionId: string): string => `#choice=${encodeURIComponent(optionId)}`;
