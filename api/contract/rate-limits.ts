/**
 * Rate limits: points and window in seconds. A classroom of 40 behind one address must fit. All hold across processes
 * except `read`, `readInRoom`, `share`, `voteRequests` and `account`, which protect one process (handbook decision 121). The privacy
 * policy states the windows.
 */
export const rateLimits = {
  /** Recorded votes from one address. */
  vote: { points: 300, seconds: 60 },
  /** The same on one poll: from one address, and from its /24 or /48. */
  pollVotes: { points: 600, seconds: 3_600 },
  pollVotesNearby: { points: 1_500, seconds: 3_600 },
  /** In place of these, votes with a code that a screen shows (`voting/room-codes.service.ts`): with each code, and on its poll. */
  votesWithCode: { points: 1_000, seconds: 3_600 },
  votesInRooms: { points: 3_000, seconds: 3_600 },
  /** Rejected votes from one address, and vote requests of any kind. */
  rejectedVotes: { points: 300, seconds: 60 },
  voteRequests: { points: 3_000, seconds: 60 },
  /** Guesses of results from one address: a classroom on eight polls, and more. */
  guess: { points: 600, seconds: 3_600 },
  /** By one voter on one poll: other voters’ guesses are compared with the sums. */
  guessOnPoll: { points: 1, seconds: 3_600 },
  read: { points: 1_200, seconds: 60 },
  /** Reads of a poll with the code of its screen: a thousand phones behind one address that show live results. */
  readInRoom: { points: 12_000, seconds: 60 },
  /** Shared links that browsers behind one address report. */
  share: { points: 120, seconds: 60 },
  createPoll: { points: 20, seconds: 3_600 },
  /** The same for all members behind one address. */
  createPollFromAddress: { points: 200, seconds: 3_600 },
  /** By a member whose account is younger than a day, or than 30 days, and by all of these in one /24 or /48. */
  createPollWhenNew: { points: 5, seconds: 3_600 },
  createPollNewNearby: { points: 50, seconds: 3_600 },
  createPollWhenYoung: { points: 10, seconds: 3_600 },
  createPollYoungNearby: { points: 100, seconds: 3_600 },
  /** By one member, and by all members behind one address. */
  comment: { points: 10, seconds: 60 },
  commentFromAddress: { points: 300, seconds: 60 },
  report: { points: 20, seconds: 3_600 },
  reportFromAddress: { points: 200, seconds: 3_600 },
  /** By people who are signed out behind one address, and in its /24 or /48. */
  reportSignedOut: { points: 10, seconds: 3_600 },
  reportSignedOutNearby: { points: 50, seconds: 3_600 },
  /** A list of all guests that one poll can have. */
  invite: { points: 200, seconds: 3_600 },
  /** Invitations that one member has mailed, and mails with invitations to one address. */
  invitationMail: { points: 100, seconds: 86_400 },
  invitationMailTo: { points: 5, seconds: 86_400 },
  /** Opened polls and copied links that one member reports, and changes of polls. */
  pollEvents: { points: 120, seconds: 60 },
  /** Requests to sign in, register or change an account, counted in each process. */
  account: { points: 240, seconds: 60 },
  /** Wrong passwords for one account from one address. */
  signInHere: { points: 10, seconds: 900 },
  /**
   * The same from devices and addresses unknown to the account: for the account, beyond which they need a second step; from one
   * address, and from its /24 or /48 (a school).
   */
  signInAnywhere: { points: 100, seconds: 3_600 },
  /** The same for the account from one /24 or /48, so that one network does not use up what others may try. */
  signInNearby: { points: 30, seconds: 3_600 },
  /** Sign-ins of one account from one /24 or /48 that wait for a second step, and codes mailed for one account. */
  secondStepNearby: { points: 10, seconds: 3_600 },
  secondStepMail: { points: 5, seconds: 3_600 },
  signInFromAddress: { points: 100, seconds: 900 },
  signInFromSubnet: { points: 500, seconds: 900 },
  /** How long an address from which a member signed in is known to the account. */
  signedInBefore: { points: 1, seconds: 30 * 86_400 },
  registerFromAddress: { points: 100, seconds: 3_600 },
  /** The same from one /24 or /48. */
  registerFromSubnet: { points: 250, seconds: 3_600 },
  /** And in a day: a school may, a farm of accounts gets no more. */
  registerFromSubnetDaily: { points: 500, seconds: 86_400 },
  /** Wrong recovery codes: for one account from one /24 or /48, from one address, and from its /24 or /48. */
  recoverNearby: { points: 20, seconds: 3_600 },
  recoverFromAddress: { points: 100, seconds: 900 },
  recoverFromSubnet: { points: 500, seconds: 900 },
  /** Requested reset mails: for one typed name from one /24 or /48, from one address, and from its /24 or /48. */
  resetMailNearby: { points: 5, seconds: 3_600 },
  resetMailFromAddress: { points: 20, seconds: 900 },
  resetMailFromSubnet: { points: 100, seconds: 900 },
  /** Mails that ask to confirm an address: by one member, and to one address. */
  confirmationMail: { points: 10, seconds: 3_600 },
  confirmationMailTo: { points: 5, seconds: 3_600 },
  /** Mailed codes for votes: to one mailbox, from one address and its /24 or /48, and for one poll to one small domain. */
  voteCodeTo: { points: 5, seconds: 3_600 },
  voteCodeFromAddress: { points: 100, seconds: 3_600 },
  voteCodeFromSubnet: { points: 300, seconds: 3_600 },
  voteCodeToDomain: { points: 300, seconds: 3_600 },
  /** Votes that are held because their browser couldn’t be checked: from one address, and on one poll. */
  heldVotesFromAddress: { points: 40, seconds: 3_600 },
  heldVotesOnPoll: { points: 600, seconds: 3_600 },
  /** Wrong passwords of a signed-in member. */
  passwordCheck: { points: 10, seconds: 900 },
  /** Pictures that one member uploads. */
  picture: { points: 20, seconds: 3_600 },
  /** Exports of one member's data. */
  exportUser: { points: 20, seconds: 3_600 },
  /** Wrong admin passwords from one address. */
  adminFailures: { points: 5, seconds: 60 },
  /** The same from unknown addresses: from one /24 or /48, which cannot use up the hourly limit for all, and from all. */
  adminFailuresFromSubnet: { points: 10, seconds: 900 },
  adminFailuresAnywhere: { points: 20, seconds: 60 },
  adminFailuresInAnHour: { points: 100, seconds: 3_600 },
  /** Wrong API tokens from one address. */
  tokenFailures: { points: 10, seconds: 60 },
  /** How long an address from which the operator signed in is known. */
  adminSignedInBefore: { points: 1, seconds: 30 * 86_400 },
} as const;
