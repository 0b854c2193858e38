import { accountAgeMask, accountAges, cookieTrait, establishedTrait } from './vote-traits.ts';

/** Votes of one poll that have all of this in common. */
export interface Mark {
  /** Minutes since 1970, rounded down to `slotMinutes`. */
  readonly minute: number;
  /** The digest of their IPv4 address or IPv6 /48. */
  readonly network: number;
  /** Bits, see `vote-traits.ts`. */
  readonly traits: number;
  /** The key of the option, and those of the further ones that they count for. */
  readonly option: number;
  readonly further?: readonly number[];
  readonly votes: number;
  /** Those of them that are counted; the others are held or set aside. */
  readonly counted: number;
}

/** Digests of networks that have one /24 in common differ only in their remainder by this number. */
export const addressesPerSubnet = 256;

/** What networks of one IPv4 /24 have in common; another number for each IPv6 /48. */
export const subnetOfNetwork = (network: number): number => Math.floor(network / addressesPerSubnet);

/** Length of the slots in which votes are counted. */
export const slotMinutes = 5;

/** Whether the votes came from browsers that nothing is known of; see `cookieTrait`. */
export const isNewcomer = (traits: number): boolean => (traits & cookieTrait) === 0;

/** Whether the votes came with accounts that aren’t established, however old. */
export const isNewAccount = (traits: number): boolean =>
  (traits & accountAgeMask) !== accountAges.none && (traits & establishedTrait) === 0;

/** Votes by some key. */
export type Counts<K = number> = ReadonlyMap<K, number>;

/** A number of votes, and how many of them count for each option: all of these, in whatever order a vote names them. */
export interface OptionVotes {
  readonly votes: number;
  readonly options: Counts;
}

/** The options that a mark’s votes count for. */
export const chosenOptions = ({ option, further = [] }: Pick<Mark, 'option' | 'further'>): readonly number[] => [
  option,
  ...further,
];

/** Adds up votes by option. */
export function countOptions(marks: readonly Mark[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const mark of marks) for (const option of chosenOptions(mark)) count(counts, option, mark.votes);
  return counts;
}

/** Adds up votes by a key. */
export function countBy<K>(marks: readonly Mark[], keyOf: (mark: Mark) => K): Map<K, number> {
  const counts = new Map<K, number>();
  for (const mark of marks) count(counts, keyOf(mark), mark.votes);
  return counts;
}

/** Adds to the count of a key. */
export function count<K>(counts: Map<K, number>, key: K, votes: number): void {
  counts.set(key, (counts.get(key) ?? 0) + votes);
}

/** The number of votes, of all or of those that meet a condition. */
export function total(marks: readonly Mark[], condition: (mark: Mark) => boolean = () => true): number {
  return marks.reduce((sum, mark) => (condition(mark) ? sum + mark.votes : sum), 0);
}

/** The key with the most votes; undefined without any. */
export function largest<K>(counts: Counts<K>): { readonly key: K; readonly votes: number } | undefined {
  let best: { key: K; votes: number } | undefined;
  for (const [key, votes] of counts) if (best === undefined || votes > best.votes) best = { key, votes };
  return best;
}
