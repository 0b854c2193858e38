import type { Flag } from '#api/integrity/flags.contract.ts';
import { dispersion } from './statistics.ts';
import { chosenOptions, count, isNewcomer, slotMinutes, total } from './marks.ts';
import type { Mark, OptionVotes } from './marks.ts';
import type { ShareFinding } from './network-shares.ts';
import type { Reason } from './reasons.ts';
import { accountAgeMask, accountAges } from './vote-traits.ts';

/**
 * From the second score on, an operator is shown the poll and its votes need a challenge; from the third on, and with the
 * further conditions of each kind of cluster, the votes are held. A burst alone has the first one, and is only shown.
 */
export const detectorScores = { shown: 60, flagged: 70, held: 84 } as const;

/** The recent votes of one poll, and what is known of the time before. */
export interface PollTraffic {
  readonly marks: readonly Mark[];
  /** The marks of the networks that {@link unusualNetworks} found, since the poll opened, with what it found. */
  readonly unusual: { readonly findings: readonly ShareFinding[]; readonly marks: readonly Mark[] };
  /** Minutes since 1970. */
  readonly now: number;
  /** How many options the poll offers. */
  readonly options: number;
  /** The counted votes before the marks, and how long the poll had been open by then. */
  readonly history: OptionVotes & { readonly minutes: number };
}

/** What selects the votes of a cluster; all of it must apply. Minutes since 1970, `to` exclusive. */
export interface ClusterCriteria {
  readonly networks?: readonly number[];
  /** Votes that count for it, among others or alone; absent: votes for any option. */
  readonly option?: number;
  readonly from: number;
  readonly to: number;
  readonly traits?: { readonly mask: number; readonly value: number };
}

/** What speaks against the votes of a flag. */
export interface Signal {
  readonly kind: Flag['signals'][number]['kind'];
  /** 0…1 */
  readonly strength: number;
  /**
   * What was found, and what it is among the other votes, null where there is nothing to compare with. Shares (0…1) of
   * votes, but `networks`: networks that vote alike; `rate`: votes per hour; `pace`: variance of the votes of five minutes
   * by their mean, 1 for independent people.
   */
  readonly value: number;
  readonly usual: number | null;
}

/** Votes that look as if one person or program had cast them. */
export interface ClusterFinding {
  readonly criteria: ClusterCriteria;
  /** The key of the option that the cluster favors. */
  readonly option: number;
  readonly reason: Reason;
  /** 0…100 */
  readonly score: number;
  /** Whether the evidence is enough to hold the votes until an operator decides. */
  readonly hold: boolean;
  readonly votes: number;
  /** Those of them that are still counted. */
  readonly counted: number;
  readonly signals: readonly Signal[];
  /** Votes over time: the start in minutes since 1970, minutes per bar, and the votes of each. */
  readonly chart: { readonly from: number; readonly step: number; readonly votes: readonly number[] };
}

/** Bars of a cluster’s chart, at most. */
const chartBars = 48;

/** Share of a cluster’s votes that may lie before its start, where honest votes of the same network may be scattered. */
const beforeStart = 0.01;

/** When a cluster’s votes came: from the moment after the first few of them. */
export function spanOf(marks: readonly Mark[]): { from: number; to: number; slots: readonly number[] } {
  const bySlot = new Map<number, number>();
  for (const { minute, votes } of marks) count(bySlot, minute, votes);
  const sorted = [...bySlot.keys()].sort((a, b) => a - b);
  const limit = total(marks) * beforeStart;
  let passed = 0;
  let start = 0;
  while (start < sorted.length - 1 && passed + bySlot.get(sorted[start]!)! <= limit) {
    passed += bySlot.get(sorted[start]!)!;
    start += 1;
  }
  const from = sorted[start] ?? 0;
  const to = (sorted.at(-1) ?? 0) + slotMinutes;
  const slots = Array.from(
    { length: (to - from) / slotMinutes },
    (_, place) => bySlot.get(from + place * slotMinutes) ?? 0,
  );
  return { from, to, slots };
}

/** The chart of a cluster’s votes. */
export function chartOf({ from, slots }: ReturnType<typeof spanOf>): ClusterFinding['chart'] {
  const perBar = Math.max(1, Math.ceil(slots.length / chartBars));
  const votes = Array.from({ length: Math.ceil(slots.length / perBar) }, (_, bar) =>
    slots.slice(bar * perBar, (bar + 1) * perBar).reduce((sum, one) => sum + one, 0),
  );
  return { from, step: perBar * slotMinutes, votes };
}

/** How regular votes come over a time of at least six slots; without the last one, which may not be over. */
export function paceSignal(slots: readonly number[]): Signal {
  const value = slots.length < 7 ? Infinity : dispersion(slots.slice(0, -1));
  return {
    kind: 'pace',
    strength: Math.min(1, Math.max(0, (1.5 - value) / 1.2)),
    value: Number.isFinite(value) ? value : 0,
    usual: 1,
  };
}

/**
 * The age of the account that nearly all votes of a cluster share, so that others of the same network stay counted.
 */
export function commonTraits(marks: readonly Mark[]): ClusterCriteria['traits'] {
  const enough = total(marks) * 0.95;
  const value = Object.values(accountAges).find(
    (age) => total(marks, ({ traits }) => (traits & accountAgeMask) === age) >= enough,
  );
  return value === undefined ? undefined : { mask: accountAgeMask, value };
}

/** The marks that criteria select. */
export function selects({ networks, option, from, to, traits }: ClusterCriteria): (mark: Mark) => boolean {
  const wanted = networks && new Set(networks);
  return (mark) =>
    (option === undefined || chosenOptions(mark).includes(option)) &&
    mark.minute >= from &&
    mark.minute < to &&
    (wanted?.has(mark.network) ?? true) &&
    (traits === undefined || (mark.traits & traits.mask) === traits.value);
}

/** By how much a cluster’s share of new devices must exceed that of the other votes to say anything about the cluster. */
const tellingDifference = 0.1;

/** Whether a signal sets the cluster apart from the other votes; new devices may be as common among all of them. */
function isEvidence({ kind, strength, value, usual }: Signal): boolean {
  if (kind === 'new-devices' && usual !== null && value - usual < tellingDifference) return false;
  return strength > 0;
}

/** A cluster from its criteria: the votes, when they came, and the score of its signals. */
export function finding(
  marks: readonly Mark[],
  cluster: Pick<ClusterFinding, 'criteria' | 'option' | 'reason' | 'score' | 'hold' | 'signals'>,
): ClusterFinding {
  const own = marks.filter(selects(cluster.criteria));
  return {
    ...cluster,
    score: Math.round(Math.min(100, cluster.score)),
    votes: total(own),
    counted: own.reduce((sum, mark) => sum + mark.counted, 0),
    signals: cluster.signals.filter(isEvidence),
    chart: chartOf(spanOf(own)),
  };
}

/** The share of new devices, and that of the other votes. */
export function newDeviceSignal(own: readonly Mark[], rest: readonly Mark[]): Signal {
  const value = total(own, ({ traits }) => isNewcomer(traits)) / Math.max(1, total(own));
  const others = total(rest);
  const usual = others === 0 ? null : total(rest, ({ traits }) => isNewcomer(traits)) / others;
  return { kind: 'new-devices', strength: Math.min(1, Math.max(0, (value - 0.7) / 0.3)), value, usual };
}

/** Votes per hour of a cluster, and of the poll otherwise: its own history, and the other recent votes. */
export function rateSignal(
  votes: number,
  { from, to }: { readonly from: number; readonly to: number },
  rest: { readonly votes: number; readonly minutes: number },
): Signal {
  const value = (votes * 60) / Math.max(slotMinutes, to - from);
  const usual = rest.minutes < 60 ? null : (rest.votes * 60) / rest.minutes;
  const ratio = usual === null ? 1 : value / Math.max(1, usual);
  return { kind: 'rate', strength: Math.min(1, Math.max(0, Math.log10(ratio))), value, usual };
}
