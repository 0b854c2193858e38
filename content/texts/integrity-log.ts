const number = (value: number) => value.toLocaleString('en-US');

/** What the vote log says to the operator. */
export const integrityLogTexts = {
  otherKey:
    'The vote log was signed with a key that is missing. Restore secrets.json from a backup, or put the key into LOG_KEY. A new key can only follow the old one: LOG_KEY=NEW,OLD.',
  problems: {
    unknownOption: 'Some votes are for an option that was not on the ballot paper when the poll opened.',
    otherOptions: 'The options of the poll have changed since it opened, so its votes can’t be verified.',
    lateVotes: 'Votes were added to the poll after its result. They are not in its log.',
    otherVotes: 'The recorded votes differ from the log.',
    otherNumber: (received: number, logged: number) =>
      `The poll has received ${number(received)} votes, but its log has ${number(logged)}.`,
  },
} as const;
