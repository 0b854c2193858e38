import type { WordingProblem } from '#contract/vocabulary.ts';

/** A hint for the author, who decides; `found` are the words that caused it, empty for something that is missing. */
export interface WordingHint {
  readonly problem: WordingProblem;
  readonly found: string;
}

/*
 * The rules look for English phrases that handbooks on questionnaires warn of (Payne 1951; Dillman et al. 2014). They
 * can't understand a question: `wording.test.ts` measures how many problems of real and invented questions they find, and
 * how often they object to good ones.
 */

const apostrophes = /[’‘]/g;

/** Phrases that tell the reader which answer is expected. */
const leading = [
  /^(?:(?:do|does|is|are|would|should|wo|ca|could|have|has)n't)\b/,
  /\b(?:do|would) you (?:also |not )?agree that\b/,
  /, (?:(?:is|are|was|were|do|does|did|has|have|wo|would|should|ca)n't (?:it|they|you|we|he|she)|right)\?$/,
  /\b(?:surely|obviously|clearly|of course|undoubtedly|everyone knows|as we all know|like most people|most people (?:agree|think|say))\b/,
  /\b(?:experts|doctors|scientists|studies|economists) (?:agree|say|show|recommend|warn)\b/,
  /\b(?:urgently|outrageous|ridiculous|disgraceful|shameful|disastrous|terrible|horrible|awful|wonderful|amazing|brilliant|fantastic|so-called|reckless|wasteful|greedy|absurd|insane|stupid|beautiful|beloved|precious)\b/,
  /\b(?:much[- ]needed|long[- ]overdue|common[- ]sense|hard[- ]earned|hard[- ]working|out[- ]of[- ]touch|red tape|finally)\b/,
  /^how (?:good|great|bad|wonderful|much better|much worse|strongly do you support|strongly do you oppose)\b/,
  /\bhow much (?:do|did|would) you (?:love|hate|enjoy|miss)\b/,
  /\bwhy (?:is|are|do|does) .*\b(?:better|worse|best|worst|so (?:good|bad|many|few))\b/,
];

/** A second question or demand after “and”. */
const secondPart =
  /\b(?:and also|and then|as well as|and (?:should|do|does|did|is|are|will|would|can|could|have|has|how|what|why|when|who|a|an|the|more|less|fewer|better|new|lower|higher|cheaper|longer|shorter|also|our|its|your|my|ban|build|raise|cut|reduce|increase|add|remove|close|open|allow|stop|start|make|give|get|move|keep|buy|sell|hire|pay|end|extend|introduce|replace|invest|support|spend|use|create|improve|limit|require|trust|respect|enjoy|plant|offer))\b/;
/** Two properties asked about at once. */
const twoProperties = /^(?:is|are|was|were|how) .*\b[a-z]+ and [a-z]+\?$/;
/** Names of one thing, ranges, and lists that offer a choice have an “and”, too. */
const notBarreled =
  /\b(?:between\b.* and|both|black and white|research and development|supply and demand|terms and conditions|health and safety|peace and quiet|pros and cons|men and women|arts and crafts|rock and roll|bed and breakfast|science and technology)\b/;

const negation =
  /\b(?:not|never|nobody|nothing|none|without|unless|cannot|oppose|opposed|against|disagree|disapprove|prohibit(?:ed|ing)?|forbid(?:den)?|ban(?:ned|ning)?|abolish(?:ed|ing)?|prevent(?:ed)?|refuse|impossible|unnecessary|unacceptable|unreasonable|no longer)\b|n't\b/g;
/** “Support or oppose” offers both sides. */
const bothSides =
  /\b(?:or not|(?:support|favor|favour|agree|approve|for),? (?:or|nor) (?:oppose|disagree|disapprove|against)|strongly or not)\b/g;

const dontKnow =
  /\b(?:don't know|do not know|not sure|unsure|no opinion|undecided|can't say|cannot say|hard to say|prefer not|no preference|neither|neutral|unfamiliar|n\/a|not applicable|it depends|depends|don't care|no answer|refused|something else|other|another|not decided)\b/;
/** Questions about opinions and knowledge, which some people don't have. */
const asksOpinion =
  /^(?:(?:should|is|are|was|were|will|does|did|can|could)\b|(?:do|would) you (?:\w+ ){0,2}?(?:think|believe|agree|support|favor|favour|approve|oppose|want|trust)\b|how (?:good|bad|well|satisfied|likely|important|strictly|fair|safe|useful|much do you (?:agree|trust|support)))/;

const positive =
  /^(?:yes|agree|support|approve|favor|favour|for it)\b|\b(?:agree|support|approve|good|excellent|great|satisfied|like|love|likely|easy|comfortable|favorably|happy|better|positive|outstanding|perfect|fair)\b/;
const negative =
  /^(?:no|not|never|against)\b|\b(?:disagree|oppose|disapprove|bad|poor|terrible|awful|dissatisfied|dislike|hate|unlikely|difficult|uncomfortable|unfavorably|unhappy|worse|negative|unfair|never|not)\b/;

/** Words for about the same frequency or degree. */
const synonyms = [
  /^(?:sometimes|occasionally|now and then|from time to time)$/,
  /^(?:often|frequently|regularly)$/,
  /^(?:rarely|seldom|hardly ever|almost never)$/,
  /^(?:good|fine|well|okay|ok)$/,
  /^(?:very good|great|excellent)$/,
];

/** Hints about the wording of a poll in English, at most one per problem; none until there is a question. */
export function wordingHints(question: string, options: readonly string[]): WordingHint[] {
  const asked = normalized(question);
  if (asked === '') return [];
  const answers = options.map(normalized).filter((answer) => answer !== '');
  const sentence = asked.split(/(?<=[.!:]) /).at(-1) ?? asked;
  const found: [WordingProblem, string | null][] = [
    ['leading', firstMatch(leading, asked)],
    ['double-barreled', barrel(sentence)],
    ['double-negative', twoNegations(sentence)],
    ['overlapping', overlap(answers)],
    ['unbalanced', imbalance(answers)],
    ['no-dont-know', missesDontKnow(sentence, answers) ? '' : null],
  ];
  return found.flatMap(([problem, words]) => (words === null ? [] : [{ problem, found: words }]));
}

function normalized(text: string): string {
  return text.normalize('NFC').trim().replace(apostrophes, "'").replace(/\s+/g, ' ').toLowerCase();
}

function firstMatch(patterns: readonly RegExp[], text: string): string | null {
  for (const pattern of patterns) {
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) return found.replace(/^, /, '');
  }
  return null;
}

function barrel(question: string): string | null {
  if (notBarreled.test(question)) return null;
  // A list of alternatives asks one thing.
  if (/, [^?]*\bor\b/.test(question)) return null;
  return (
    firstMatch([secondPart], question) ??
    (twoProperties.exec(question) ? /\w+ and \w+(?=\?$)/.exec(question)![0] : null)
  );
}

function twoNegations(question: string): string | null {
  const found = question.replace(bothSides, '').match(negation) ?? [];
  return found.length > 1 ? found.slice(0, 2).join(' … ') : null;
}

/** The first two options that the same person could choose. */
function overlap(options: readonly string[]): string | null {
  const ranges = options.map(rangeOf);
  for (const [first, one] of options.entries())
    for (const [offset, two] of options.slice(first + 1).entries()) {
      const [a, b] = [ranges[first] ?? null, ranges[first + 1 + offset] ?? null];
      const isShared = a !== null && b !== null && a.from <= b.to && b.from <= a.to;
      if (isShared || synonyms.some((words) => words.test(one) && words.test(two))) return `${one} / ${two}`;
    }
  return null;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The numbers that an option such as “18–24,” “under 18,” or “65 or older” stands for; null for others. */
function rangeOf(option: string): Range | null {
  const text = option.replace(/(?<=\d),(?=\d{3})/g, '').replace(/[$€£%]/g, '');
  const number = String.raw`(\d+(?:\.\d+)?)`;
  const numbersOf = (pattern: string) => new RegExp(pattern).exec(text)?.slice(1).map(Number);
  const between = numbersOf(String.raw`${number} ?(?:-|–|—|to|and) ?${number}`);
  if (between) return { from: between[0]!, to: between[1]! };
  const below = numbersOf(String.raw`\b(?:under|below|less than|fewer than|younger than) ${number}`);
  // An open end does not include its number.
  if (below) return { from: -Infinity, to: below[0]! - Number.EPSILON * below[0]! };
  const above = numbersOf(String.raw`\b(?:over|above|more than|older than) ${number}`);
  if (above) return { from: above[0]! * (1 + Number.EPSILON), to: Infinity };
  const upTo = numbersOf(String.raw`\b(?:up to|at most) ${number}|^${number} or (?:less|fewer|younger|under)`);
  if (upTo) return { from: -Infinity, to: upTo.find((value) => !Number.isNaN(value))! };
  const from = numbersOf(String.raw`${number} ?(?:\+|or (?:more|older|over|above))`);
  if (from) return { from: from[0]!, to: Infinity };
  const exact = new RegExp(`^${number}$`).exec(text);
  return exact ? { from: Number(exact[1]), to: Number(exact[1]) } : null;
}

/** The side that has too many answers. */
function imbalance(options: readonly string[]): string | null {
  const sides = options.filter((option) => !dontKnow.test(option)).map(sideOf);
  if (sides.length < 2) return null;
  const [good, bad] = [1, -1].map((side) => sides.filter((one) => one === side).length) as [number, number];
  const isOneSided = sides.length >= 3 && (good === sides.length || bad === sides.length);
  if (!isOneSided && (good === 0 || bad === 0 || Math.abs(good - bad) < 2)) return null;
  return `${good} : ${bad}`;
}

/** 1 for an answer in favor, -1 for one against, 0 for neither. */
function sideOf(option: string): number {
  if (negative.test(option)) return -1;
  return positive.test(option) ? 1 : 0;
}

function missesDontKnow(question: string, options: readonly string[]): boolean {
  return options.length >= 2 && asksOpinion.test(question) && !options.some((option) => dontKnow.test(option));
}
