const number = (value: number) => value.toLocaleString('en-US');
const votes = (count: number) => `${number(count)} ${count === 1 ? 'vote' : 'votes'}`;

/** What the vote log says to the operator. */
export const integrityLogTexts = {
  otherKey:
    'The vote log was signed with a key that is missing. Restore secrets.json from a backup, or put the key into LOG_KEY. A new key can only follow the old one: LOG_KEY=NEW,OLD.',
  /** Why a witness did not cosign the log. */
  witness: {
    late: (seconds: number) => `It did not answer within ${number(seconds)} seconds.`,
    unreachable: (code: string) => `It could not be reached (${code}).`,
    privateAddress: 'It has a private address, which takes PRIVATE_WITNESSES=on.',
    notByItsKey: 'Its answer is not signed by the key in WITNESSES.',
    knowsMore: (known: number, own: number) =>
      `It has seen ${number(known)} entries of this log, which has only ${number(own)}: an older copy of the database is in use.`,
    refused: (status: number) =>
      ({
        403: 'It has another key for this log: its operator must put this site’s key into WITNESS_LOGS.',
        404: 'It does not know this log: its operator must put this site’s key into WITNESS_LOGS.',
        422: 'It has seen another history of this log.',
      })[status] ?? `It answered with status ${status}.`,
  },
  problems: {
    unknownOption: 'Some votes are for an option that was not on the ballot paper when the poll opened.',
    otherOptions: 'The options of the poll have changed since it opened, so its votes can’t be verified.',
    lateVotes: 'Votes were added to the poll after its result. They are not in its log.',
    otherVotes: 'The recorded votes differ from the log.',
    otherNumber: (received: number, logged: number) =>
      `The poll has received ${number(received)} votes, but its log has ${number(logged)}.`,
  },
  /** How a result differs from its log. */
  differences: {
    recount: (verdict: string) => `The published log doesn’t pass its own recount (${verdict}).`,
    noLog: 'The poll has votes, but its log is gone.',
    noResult: 'The poll is closed, but its log has no result.',
    restarted: 'The log was older than what had been published, or empty, and began again.',
    unreadable: (problem: string) => `The log can’t be read, because a part of it is missing or wrong: ${problem}`,
    behindCopy: 'The site-wide log is older than its newest checkpoint in the data folder, or empty.',
    totals: {
      votes: (option: string, there: number, logged: number) =>
        `${votes(there)} for “${option}” are recorded, but ${number(logged)} are in the log.`,
      counters: (option: string, there: number, logged: number) =>
        `The counter of “${option}” has ${votes(there)}, the log ${number(logged)}.`,
      api: (option: string, there: number, logged: number) =>
        `The site counts ${votes(there)} for “${option}”, the log ${number(logged)}.`,
      page: (option: string, there: number, logged: number) =>
        `The page shows ${votes(there)} for “${option}”, the log ${number(logged)}.`,
    },
    counter: (counter: string, counted: number, expected: number) =>
      `The counter of ${counter} is ${number(counted)}, but its rows are ${number(expected)}.`,
  },
} as const;
