import { rateLimits } from '#contract/rate-limits.ts';
import { selects } from '#domain/integrity/cluster.ts';
import { detect } from '#domain/integrity/detector.ts';
import { addressesPerSubnet, slotMinutes } from '#domain/integrity/marks.ts';
import type { Mark } from '#domain/integrity/marks.ts';
import { leastVotes } from '#domain/integrity/network-clusters.ts';
import { independentVotes, shareTest, unusualNetworks } from '#domain/integrity/network-shares.ts';
import { accountAges, cookieTrait, establishedTrait } from '#domain/integrity/vote-traits.ts';
import type { Row } from '#ci/bench/report.ts';
import { seededRandom } from '#api/testing/random.ts';
import { networksOf, optionOf } from '#api/testing/vote-traffic.ts';

/**
 * An attacker who has read the code: searches for the recipe that adds most false votes for its option, with the operator
 * setting aside everything that the detector finds. Its first guesses are the thresholds of the code, so that it follows
 * them; then it changes one thing at a time.
 */

export interface Recipe {
  /** Networks that it votes from, and those of them that vote once, to look like independent voters. */
  readonly networks: number;
  readonly cover: number;
  /** Votes of each of the others, and the share of them for its option. */
  readonly votes: number;
  readonly share: number;
  /** Each network votes for one option only, instead of mixing. */
  readonly split: boolean;
  readonly minutes: number;
  readonly oneSubnet: boolean;
  /** Cookies that look known, and accounts that were aged before. */
  readonly cookies: boolean;
  readonly accounts: boolean;
}

export interface Outcome {
  readonly recorded: number;
  /** False votes that still count after the review, and those of them for its option beyond the usual share. */
  readonly counted: number;
  readonly gained: number;
  /** False votes in the independent figure. */
  readonly independent: number;
  /** Share of the honest votes that are set aside with them. */
  readonly lost: number;
}

const usual = [0.5, 0.3, 0.2];
/** The option that it wants to win. */
const wanted = 1;
const dayMinutes = 1_440;
const firstNetwork = 1_000_000;

/** People who voted within the day before: most from networks of their own. */
export function background(seed: number): Mark[] {
  const random = seededRandom(seed);
  const votes = random.whole(120, 200);
  return Array.from({ length: votes }, (_, voter) => ({
    // Every fifteenth lives with the one before.
    network: (voter % 15 === 14 ? voter - 1 : voter) * addressesPerSubnet,
    minute: Math.floor(random.whole(0, dayMinutes - 1) / slotMinutes) * slotMinutes,
    traits: random.chance(0.3) ? cookieTrait : accountAges.none,
    ...{ option: optionOf(random, usual), votes: 1, counted: 1 },
  }));
}

/** Votes of one network that the limits let through. */
function allowed({ votes, minutes, oneSubnet, networks }: Recipe): number {
  const hours = Math.ceil(minutes / 60);
  const nearby = oneSubnet ? Math.floor((rateLimits.pollVotesNearby.points * hours) / networks) : Infinity;
  return Math.min(votes, rateLimits.vote.points * minutes, rateLimits.pollVotes.points * hours, nearby);
}

/** How the votes of one network are divided among the options. */
function choices({ share, split }: Recipe, place: number, votes: number): number[] {
  const others = usual.map((part, option) => (option === wanted ? 0 : part / (1 - usual[wanted]!)));
  if (split) {
    // As many networks as the share of its votes are for its option.
    const own = Math.floor((place + 1) * share) > Math.floor(place * share) ? wanted : place % 2 === 0 ? 0 : 2;
    return usual.map((_, option) => (option === own ? votes : 0));
  }
  // Rounded so that all networks together have the share.
  const own = Math.floor((place + 1) * share * votes) - Math.floor(place * share * votes);
  const first = Math.round((votes - own) * others[0]!);
  return [first, own, votes - own - first];
}

/** Moments at which it votes, at most; between them it waits. */
const mostBursts = 24;

function marksOf(recipe: Recipe): Mark[] {
  const { networks, cover, minutes, oneSubnet, cookies, accounts } = recipe;
  const traits = (accounts ? accountAges.sevenDays | establishedTrait : accountAges.none) | (cookies ? cookieTrait : 0);
  const slots = Math.ceil(minutes / slotMinutes);
  const bursts = Math.min(slots, mostBursts);
  const many = allowed(recipe);
  return Array.from({ length: networks }, (_, place): Mark[] => {
    const network = (firstNetwork + (oneSubnet ? 0 : place)) * addressesPerSubnet + (oneSubnet ? place : 0);
    const own =
      place < cover ? usual.map((_, option) => Number(option === wanted)) : choices(recipe, place - cover, many);
    return own.flatMap((all, option) =>
      Array.from({ length: bursts }, (_, burst) => {
        const votes = Math.floor((all * (burst + 1)) / bursts) - Math.floor((all * burst) / bursts);
        const minute = dayMinutes + Math.floor((burst * slots) / bursts) * slotMinutes;
        return { network, option, traits, minute, votes, counted: votes };
      }).filter(({ votes }) => votes > 0),
    );
  }).flat();
}

const sum = (marks: readonly Mark[]) => marks.reduce((all, { votes }) => all + votes, 0);
const isFalse = ({ network }: Mark) => network >= firstNetwork * addressesPerSubnet;

/** What becomes of a recipe. */
export function tryRecipe(recipe: Recipe, seed: number): Outcome {
  const people = background(seed);
  const attack = marksOf(recipe);
  const marks = [...people, ...attack];
  const networks = networksOf(marks);
  const findings = unusualNetworks(networks);
  const named = new Set(findings.flatMap((found) => found.networks));
  const unusual = { findings, marks: marks.filter(({ network }) => named.has(network)) };
  const now = dayMinutes + Math.ceil(recipe.minutes / slotMinutes) * slotMinutes + 30;
  const history = { votes: 0, options: new Map<number, number>(), minutes: 0 };
  const { clusters } = detect({ marks, unusual, now, options: usual.length, history });
  const tests = clusters.map(({ criteria }) => selects(criteria));
  const counted = marks.filter((mark) => !tests.some((matches) => matches(mark)));
  const left = counted.filter(isFalse);
  const flagged = new Set(clusters.flatMap(({ criteria }) => criteria.networks ?? []));
  const independent = (some: typeof networks) =>
    [...independentVotes(some, flagged).values()].reduce((all, votes) => all + votes, 0);
  return {
    recorded: sum(attack),
    counted: sum(left),
    gained: sum(left.filter(({ option }) => option === wanted)) - usual[wanted]! * sum(left),
    independent: independent(networks) - independent(networksOf(people)),
    lost: 1 - (sum(counted) - sum(left)) / sum(people),
  };
}

/** The mean of several days, so that a recipe is worth what it can be relied on for. */
export function expected(recipe: Recipe, seeds: readonly number[]): Outcome {
  const outcomes = seeds.map((seed) => tryRecipe(recipe, seed));
  const mean = (key: keyof Outcome) => outcomes.reduce((all, one) => all + one[key], 0) / outcomes.length;
  return {
    ...{ recorded: mean('recorded'), counted: mean('counted'), gained: mean('gained') },
    ...{ independent: mean('independent'), lost: mean('lost') },
  };
}

export interface Found extends Outcome {
  readonly recipe: Recipe;
  readonly tried: number;
  /** Over all recipes that were tried: most false independent votes per network, and largest loss of honest votes. */
  readonly mostIndependent: number;
  readonly mostLost: number;
}

/** What the attacker can afford: networks, and votes of each. */
export interface Budget {
  readonly networks: number;
  readonly most: number;
}

/** The budgets of the report: those of the attacks that earlier versions missed, classes, and as much as the limits let through. */
export const budgets: readonly Budget[] = [
  { networks: 1, most: leastVotes - 1 },
  { networks: 1, most: rateLimits.pollVotes.points },
  { networks: 3, most: leastVotes - 1 },
  { networks: 10, most: leastVotes - 1 },
  { networks: 19, most: leastVotes - 1 },
  { networks: 19, most: rateLimits.pollVotes.points },
  { networks: 200, most: 6 },
  { networks: 200, most: rateLimits.pollVotes.points },
];

/** The best recipe within a budget that the search finds. */
export function searchRecipe({ networks, most }: Budget, seeds: readonly number[] = [1, 2, 3]): Found {
  let best: { recipe: Recipe; outcome: Outcome } | undefined;
  const known = new Set<string>();
  let [mostIndependent, mostLost] = [0, 0];
  /** Whether it is the best so far. */
  const attempt = (recipe: Recipe) => {
    if (recipe.votes > most) return false;
    const key = JSON.stringify(recipe);
    if (known.has(key)) return false;
    known.add(key);
    const outcome = expected(recipe, seeds);
    mostIndependent = Math.max(mostIndependent, outcome.independent / networks);
    mostLost = Math.max(mostLost, outcome.lost);
    if (best !== undefined && outcome.gained <= best.outcome.gained) return false;
    best = { recipe, outcome };
    return true;
  };

  const sizes = new Set([1, leastVotes - 1, most]);
  for (const { size } of shareTest.tests) sizes.add(size - 1).add(size);
  const plain = { split: false, minutes: 60, oneSubnet: false, cookies: false, accounts: false };
  const covers = [0, Math.floor(networks / 4), Math.floor(networks / 2)];
  for (const cover of new Set(covers))
    for (const votes of sizes)
      for (const share of [0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1])
        for (const split of networks > 1 ? [false, true] : [false])
          attempt({ ...plain, networks, cover, votes, share, split });

  // One thing at a time, in steps that get smaller where nothing helps.
  for (let step = 0.5; step > 0.005;) {
    const { recipe } = best!;
    const share = (by: number) => Math.min(1, Math.max(0, Math.round((recipe.share + by) * 1_000) / 1_000));
    const whole = (value: number, by: number) => Math.max(1, Math.round(value * (1 + by)));
    const changes: Partial<Recipe>[] = [
      ...[step, -step].flatMap((by) => [
        { share: share(by / 5) },
        { votes: whole(recipe.votes, by) },
        { share: share(by / 5), votes: whole(recipe.votes, -by) },
        { votes: Math.min(most, whole(recipe.votes, by)), minutes: Math.min(dayMinutes, whole(recipe.minutes, by)) },
        { cover: Math.min(networks - 1, Math.max(0, recipe.cover + Math.round(by * networks))) },
      ]),
      ...[{ minutes: 5 }, { minutes: 600 }, { split: !recipe.split }, { oneSubnet: !recipe.oneSubnet }],
      ...[{ cookies: !recipe.cookies }, { accounts: !recipe.accounts }],
    ];
    const better = changes.filter((change) => attempt({ ...recipe, ...change }));
    if (better.length === 0) step /= 2;
  }
  const { recipe, outcome } = best!;
  return { ...outcome, recipe, tried: known.size, mostIndependent, mostLost };
}

/** What was found, as a row of content/handbook/proof.md. */
export function rowOf({ networks }: Budget, found: Found): Row {
  const { recipe, recorded, counted, gained, independent, tried, mostLost } = found;
  const { cover, votes, share, split, minutes, oneSubnet, cookies, accounts } = recipe;
  const parts = [
    `${networks - cover} × ${votes} votes, ${Math.round(share * 100)}% for it`,
    ...(cover > 0 ? [`${cover} × 1`] : []),
    ...(split ? ['one option per network'] : []),
    `${minutes} min`,
    ...(oneSubnet ? ['one /24'] : []),
    ...(cookies ? ['known cookies'] : []),
    ...(accounts ? ['established accounts'] : []),
  ];
  const rounded = (value: number) => (Math.round(value * 10) / 10).toLocaleString('en-US');
  return {
    'cheapest recipe': parts.join(', '),
    ...{ counted: rounded(counted), independent: rounded(independent), gained: rounded(gained) },
    ...{ 'per address': rounded(gained / networks), 'per account': (gained / recorded).toFixed(2) },
    ...{ 'per minute': rounded(gained / minutes), 'recipes tried': `${tried}` },
    'honest votes lost, at most': `${rounded(mostLost * 100)}%`,
  };
}
