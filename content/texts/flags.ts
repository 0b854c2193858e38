import type { Flag, FlaggedPoll, IntegrityAction, LogAlerts, VoteDecision } from '#api/integrity/flags.contract.ts';

const number = (value: number) => value.toLocaleString('en-US');
const votes = (count: number) => `${number(count)} ${count === 1 ? 'vote' : 'votes'}`;
const percent = (share: number) => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%`;
const hourly = (rate: number) => (rate < 10 ? rate.toFixed(1) : number(Math.round(rate)));

type Signal = Flag['signals'][number];

interface Decided extends Omit<VoteDecision['evidence'], 'from' | 'to'> {
  readonly madeBy: VoteDecision['madeBy'];
  /** Formatted. */
  readonly madeOn: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** Flagged votes, for those who decide about them. */
export const flagTexts = {
  flagged: 'Flagged:',
  genuine: 'Flagged, but taken for genuine:',
  score: (score: number) => `Score ${number(score)} of 100`,
  votes: (all: number, counted: number, option: string) =>
    `${votes(all)} in favor of “${option}”, ${counted === all ? 'all' : counted === 0 ? 'none' : number(counted)} of them counted`,
  evidence: 'Evidence',
  signals: {
    'network-share': ({ value }) => `${percent(value)} of the poll’s recent votes came from this network.`,
    networks: ({ value }) => `${number(value)} networks with several votes each vote alike, and unlike everyone else.`,
    choice: ({ value, usual }) =>
      `${percent(value)} chose this option${usual === null ? '' : `; ${percent(usual)} of everyone else did`}.`,
    'new-devices': ({ value, usual }) =>
      `${percent(value)} came from devices new to this site${usual === null ? '' : `; ${percent(usual)} of everyone else’s did`}.`,
    'new-accounts': ({ value, usual }) =>
      `${percent(value)} came from accounts that hadn’t been active on three earlier days; ${percent(usual ?? 0)} of everyone else’s did.`,
    rate: ({ value, usual }) =>
      `${hourly(value)} votes an hour${usual === null ? '' : `; the poll otherwise gets ${hourly(usual)}`}.`,
    pace: ({ value }) => `They came at a steady pace: variation ${value.toFixed(1)}; people’s is 1 or more.`,
  } as const satisfies Record<Signal['kind'], (signal: Signal) => string>,
  chart: (most: number, minutes: number) => `Votes over time: at most ${number(most)} in ${number(minutes)} minutes`,
  states: {
    held: (count: number) => `${votes(count)} held:`,
    'set-aside': (count: number) => `${votes(count)} set aside:`,
    released: (count: number) => `${votes(count)} counted after all:`,
    expired: (count: number) => `${votes(count)} counted after all, as nobody decided in time:`,
  } as const satisfies Record<VoteDecision['state'], (count: number) => string>,
  decided: ({ madeBy, madeOn, networks, option, from, to }: Decided) =>
    [
      `By ${{ detector: 'the detector', operator: 'an operator', creator: 'the poll’s creator' }[madeBy]} on ${madeOn}`,
      ...(networks > 0 ? [networks === 1 ? 'all from one network' : `from ${number(networks)} networks`] : []),
      ...(option === null ? [] : [`all for “${option}”`]),
      ...(from === null ? [] : [`since ${from}`]),
      ...(to === null ? [] : [`until ${to}`]),
    ].join(', ') + '.',
  decision: (place: number) => `decision ${number(place)}`,
  expires: (moment: string, isUnchecked: boolean) =>
    `Unless you decide, they are ${isUnchecked ? 'set aside' : 'counted after all'} on ${moment}.`,
  acts: {
    'set-aside': {
      title: 'Set these votes aside?',
      text: (count: number) =>
        `${votes(count)} won’t count. Every page with the result says how many, and why. You can count them after all later.`,
      confirm: 'Set aside',
      done: (count: number) => ({ title: 'Votes Set Aside', text: `${votes(count)} don’t count.` }),
    },
    hold: {
      title: 'Hold these votes?',
      text: (count: number) =>
        `${votes(count)} won’t count until you decide. If you don’t decide within seven days, they count after all.`,
      confirm: 'Hold',
      done: (count: number) => ({ title: 'Votes Held', text: `${votes(count)} don’t count for now.` }),
    },
    genuine: {
      title: 'Take these votes for genuine?',
      text: (count: number) =>
        `${votes(count)} stay counted, and nothing is held or checked because of them. The number of independent votes stays as it is. If such votes become half as many again, they are flagged anew.`,
      confirm: 'Genuine',
      done: (count: number) => ({ title: 'Votes Stay Counted', text: `${votes(count)} count.` }),
    },
    release: {
      title: 'Count these votes after all?',
      text: (count: number) => `${votes(count)} will count. The poll still says that they were held or set aside.`,
      confirm: 'Count after all',
      done: (count: number) => ({ title: 'Votes Counted', text: `${votes(count)} count.` }),
    },
  },
  stillMarking: {
    title: 'Still Working',
    text: 'This is taking a while. The votes count until all of them are done. Reload the page to see the decision.',
  },
  reason: 'Reason',
  reasonHint: 'Published with the result.',
  note: 'Note',
  noteHint: 'Only for the log of decisions.',
  optional: 'optional',
  cancel: 'Cancel',
} as const;

/** On the page of a community poll, for its creator. */
export const ownFlagTexts = {
  heading: 'Flagged votes',
  note: 'These votes look as if a program had cast them. Set them aside, and they aren’t counted; hold them to decide later; say that they are genuine, and they stay. Nothing is deleted, and the poll shows both figures with the reason.',
  raiseNote:
    'You can also ask more of votes from now on. The votes so far stay, the poll says since when more is needed, and it can’t be lowered again.',
  raise: (name: string) => `Raise to: ${name.toLowerCase()}`,
  failed: 'Your decision was not saved.',
} as const;

/** On the operator’s page. */
export const flaggedPollTexts = {
  heading: 'Flagged votes',
  text: 'Polls whose votes of the last 24 hours look automated, or came in a burst; checked every minute. Votes that are held or set aside stay recorded but don’t count, and every page says so. Nothing is deleted, and you can count them after all.',
  none: 'No flagged votes.',
  find: 'Find a poll',
  findHint: 'Its address or id, also of an unlisted or private poll.',
  show: 'Show',
  notFound: 'There is no such poll.',
  private: 'A private poll',
  figures: ({ votes: all, hourly: rate, hourlyBefore }: NonNullable<FlaggedPoll['figures']>) =>
    `${votes(all)} in the last 24 hours, ${hourly(rate)} an hour${hourlyBefore === null ? '' : `; ${hourly(hourlyBefore)} before`}`,
  burst: ({ votes: all, usual }: NonNullable<NonNullable<FlaggedPoll['figures']>['burst']>) =>
    `${votes(all)} in five minutes, ${usual === null ? 'soon after it opened' : usual < 1 ? 'hardly any normally' : `about ${number(Math.round(usual))} normally`}. Someone may have shared the poll, or may be stuffing the ballot: check where it was shared before you decide.`,
  totals: ({ countedVotes, setAsideVotes, heldVotes }: FlaggedPoll) =>
    [
      `${number(countedVotes)} counted`,
      ...(setAsideVotes > heldVotes ? [`${number(setAsideVotes - heldVotes)} set aside`] : []),
      ...(heldVotes > 0 ? [`${number(heldVotes)} held`] : []),
    ].join(', '),
  alerts: ({ behindSeconds, overdue, problems, differences, witnesses }: LogAlerts) => [
    ...differences.map(({ pollId, problem }) => `The result of ${pollId} doesn’t match its log. ${problem}`),
    ...(behindSeconds > 600
      ? [`The vote log has stopped: a vote cast ${number(Math.round(behindSeconds / 60))} minutes ago is not in it.`]
      : []),
    ...(overdue > 0
      ? [
          `${number(overdue)} ${overdue === 1 ? 'poll has' : 'polls have'} been waiting too long for a checkpoint of the vote log.`,
        ]
      : []),
    ...problems.map(({ pollId, problem }) => `Vote log of ${pollId}: ${problem}`),
    ...witnesses.map(
      ({ name, since, problem }) => `The witness ${name} has not cosigned since ${since.slice(0, 10)}. ${problem}`,
    ),
  ],
  alertAdvice: 'Run npm run doctor for advice.',
  challenge: 'Check browsers before they vote',
  challengeHint: 'A check takes a browser under a second, and longer the more votes come from its network.',
  switches: {
    auto: 'While votes look automated',
    on: 'Always',
    off: 'Never',
  } as const satisfies Record<FlaggedPoll['challenge'], string>,
  checkedUntil: 'Browsers are checked until',
  protection: (name: string) => `Who can vote: ${name.toLowerCase()}.`,
  raise: (name: string) => `Raise to: ${name.toLowerCase()}`,
  dialog: {
    raise: {
      title: 'Raise what votes need?',
      text: (name: string) =>
        `New level: ${name.toLowerCase()}. The votes so far stay, and the poll’s page says since when more is needed. With votes, it can’t be lowered again.`,
      confirm: 'Raise',
      done: { title: 'Protection Raised', text: 'It holds from the next vote on.' },
    },
    challenge: {
      title: 'Change the browser check?',
      text: (choice: string) => `New setting: ${choice.toLowerCase()}.`,
      confirm: 'Change',
      done: { title: 'Check Changed', text: 'It takes effect within seconds.' },
    },
  },
  log: 'Log of decisions',
  noLog: 'No votes have been held or set aside.',
  logEntry: (count: number) => votes(count),
  logActions: {
    genuine: 'took flagged votes for genuine',
    hold: 'held votes',
    'set-aside': 'set votes aside',
    confirm: 'set held votes aside',
    release: 'counted votes after all',
    expire: 'counted held votes after the time for a decision',
    'challenge-auto': 'had browsers checked while votes look automated',
    'challenge-on': 'had browsers always checked',
    'challenge-off': 'had browsers never checked',
  } as const satisfies Record<IntegrityAction, string>,
} as const;
