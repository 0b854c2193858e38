/** How a report draws its result; see {@link chartForm}. */
export type ChartForm = 'split' | 'scale' | 'bars' | 'ranked';

/** Answers from which bars are compared with the largest instead of with all votes. */
const rankedOptions = 6;

/** Bars of a ranked chart before its tail, which is folded if it has more than two. */
export const rankedShown = 6;

/**
 * The form of a poll’s chart: one bar for two answers, one bar around a middle for an ordered scale, a bar of all votes for each
 * of up to five answers, and bars relative to the largest for more.
 */
export function chartForm(options: readonly { readonly text: string }[]): ChartForm {
  if (options.length === 2) return 'split';
  if (scaleOf(options.map(({ text }) => text)) !== null) return 'scale';
  return options.length < rankedOptions ? 'bars' : 'ranked';
}

/** Answers beside a scale, which belong to neither side. */
const noAnswer =
  /^(i )?(do(n’t|n't| not) (know|care|mind)|not sure|unsure|undecided|no (opinion|answer|preference)|refused|can(’t|'t|not) say)\b/;

/** Steps of scales from one end to the other, with the middle at 0. */
type Steps = readonly (readonly [step: number, words: RegExp])[];

const middle =
  /^(neither|neutral|in between|mixed|undecided$|(about|stay(s|ed)?|just) the same|no (change|difference)|same$|both equally)/;

/** A scale between two words: `strongly` and `somewhat` of each. */
function poles(low: string, high: string): Steps {
  const degree = (word: string): Steps => [
    [3, new RegExp(`^(strongly|completely|totally|entirely|extremely|absolutely|definitely) (${word})`)],
    [2, new RegExp(`^(very|much|far|a lot|quite) (much )?(${word})`)],
    [2, new RegExp(`^(${word})( (strongly|completely|a lot|very much|entirely))?$`)],
    [
      1,
      new RegExp(
        `^(somewhat|slightly|rather|fairly|mostly|mainly|a (little|bit)|tend to|lean|probably|generally) (${word})`,
      ),
    ],
    [1, new RegExp(`^(${word}) (somewhat|slightly|a (little|bit)|mostly|in part|partly)$`)],
  ];
  return [
    ...degree(low).map(([step, words]) => [-step, words] as const),
    [0, middle],
    ...degree(high).map(([step, words]) => [step, words] as const),
  ];
}

const scales: readonly Steps[] = [
  poles('disagree', 'agree'),
  poles('disapprove', 'approve'),
  poles('oppose|against', 'support|favou?r|for'),
  poles('dissatisfied|unsatisfied', 'satisfied'),
  poles('unlikely', 'likely'),
  poles('unfavou?rabl[ey]', 'favou?rabl[ey]'),
  poles('unimportant', 'important'),
  poles('uncomfortable', 'comfortable'),
  poles('unhappy', 'happy'),
  poles('distrust', 'trust'),
  poles('difficult|hard', 'easy'),
  poles('dislike', 'like'),
  poles('negative(ly)?', 'positive(ly)?'),
  poles('pessimistic', 'optimistic'),
  poles('unsafe', 'safe'),
  poles('worse', 'better'),
  poles('less', 'more'),
  poles('decreased?', 'increased?'),
  poles('no', 'yes'),
  poles('too (little|few|low|small|slow|short|cold)', 'too (much|many|high|large|big|fast|long|hot)'),
];

/** Scales from little to much. No answer is neutral: of four steps, two are on each side, and only of an odd number one is between. */
const amounts: readonly Steps[] = [
  [
    [-2, /^(never|not at all)$/],
    [-1, /^(rarely|seldom|hardly ever|almost never)$/],
    [0, /^(sometimes|occasionally|now and then)$/],
    [1, /^(often|frequently|usually|most of the time|almost always)$/],
    [2, /^always$/],
  ],
  [
    [-2, /^not (at all|(at all )?\w+ at all)\b|^not at all /],
    [-1, /^(not (very|too|so|that)|only (a little|slightly)|a little|slightly) ?/],
    [0, /^(moderately|somewhat)\b/],
    [1, /^(very|quite|a lot|pretty)\b/],
    [2, /^(extremely|a great deal|completely)\b/],
  ],
  [
    [-2, /^(very (poor|bad)|terrible|awful)$/],
    [-1, /^(poor|bad)$/],
    [0, /^(fair|average|ok(ay)?|so-so|acceptable|adequate)$/],
    [1, /^good$/],
    [2, /^(very good|excellent|great|outstanding)$/],
  ],
  [
    [-2, /^rare$/],
    [-1, /^medium[ -]rare$/],
    [0, /^medium$/],
    [1, /^medium[ -]well( done)?$/],
    [2, /^well([ -]done)?$/],
  ],
];

/** The sides of a scale, by the places of its answers. */
export interface AnswerScale {
  /** Places of the answers from one end to the other. */
  readonly order: readonly number[];
  /** The side of each answer of `order`: -1 before the middle, 0 in it, 1 after it. */
  readonly sides: readonly (-1 | 0 | 1)[];
  /** Places of answers beside the scale, such as “Don’t know”. */
  readonly beside: readonly number[];
}

/**
 * The scale that these answers are: all but those beside it are steps of the same one, in its order, forward or backward,
 * with at least three steps and one on each side. Otherwise null.
 */
export function scaleOf(texts: readonly string[]): AnswerScale | null {
  const answers = texts.map((text, place) => ({
    place,
    words: text.trim().toLowerCase().replace(/\s+/g, ' ').replace(/[.!]$/, ''),
  }));
  const steps = answers.filter(({ words }) => !noAnswer.test(words));
  if (steps.length < 3) return null;
  for (const scale of [...scales, ...amounts]) {
    const degrees: readonly (number | undefined)[] = steps.map(
      ({ words }) => scale.find(([, pattern]) => pattern.test(words))?.[0],
    );
    if (!isStrictOrder(degrees)) continue;
    if (!degrees.some((degree) => degree < 0) || !degrees.some((degree) => degree > 0)) continue;
    const isBackward = degrees[0]! > 0;
    return {
      order: steps.map(({ place }) => place),
      sides: degrees.map((degree, index) =>
        sign(amounts.includes(scale) ? index - (degrees.length - 1) / 2 : isBackward ? -degree : degree),
      ),
      beside: answers.filter(({ words }) => noAnswer.test(words)).map(({ place }) => place),
    };
  }
  return null;
}

const sign = (number: number) => (number === 0 ? 0 : number > 0 ? 1 : -1);

function isStrictOrder(degrees: readonly (number | undefined)[]): degrees is readonly number[] {
  if (degrees.includes(undefined)) return false;
  const distances = degrees.slice(1).map((degree, index) => degree! - degrees[index]!);
  return distances.every((distance) => distance > 0) || distances.every((distance) => distance < 0);
}
