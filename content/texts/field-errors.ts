import type { FieldError } from '#contract/error-codes.ts';
import * as limits from '#contract/limits.ts';
import type { PasswordWeakness } from '#contract/vocabulary.ts';

/** A validation error in ajv’s format (ErrorObject). */
export interface Finding {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string | undefined;
}

/** Labels of fields; others are derived from the field’s name. */
const labels: ReadonlyMap<string, string> = new Map(
  Object.entries({
    username: 'Username',
    password: 'Password',
    currentPassword: 'Current password',
    newPassword: 'Password',
    email: 'Email',
    firstName: 'First name',
    lastName: 'Last name',
    profileImageUrl: 'Picture',
    question: 'Question',
    description: 'Description',
    options: 'Options',
    text: 'Option',
    category: 'Category',
    startsAt: 'Start',
    endsAt: 'End',
    content: 'Comment',
    usernameOrEmail: 'Username',
    reason: 'Reason',
    author: 'Author',
    tags: 'Tags',
    summary: 'Summary',
    analysis: 'Analysis',
    methodologyNotes: 'Methodology',
    seriesNote: 'Note',
    provenance: 'Source',
    publishBallots: 'Published ballots',
    optionOrder: 'Order',
    protection: 'Who can vote',
    method: 'Voters choose',
    minChoices: 'At least',
    maxChoices: 'At most',
    writeIns: 'Answers that voters add',
    writeIn: 'Your answer',
    optionIds: 'Options',
    optionId: 'Option',
    id: 'ID',
    kind: 'Poll type',
    fingerprint: 'Device ID',
    voterFingerprint: 'Device ID',
    limit: 'Page size',
    sort: 'Sort order',
    q: 'Search',
    before: 'Position in the list',
    mode: 'Import mode',
    v: 'Version',
    t: 'Time',
  }),
);

/** All errors in a vote’s option have the same remedy. */
const chooseOption = Object.fromEntries(
  ['required', 'type', 'minLength', 'maxLength'].map((keyword) => [`optionId ${keyword}`, 'Please choose an option']),
);

/** Why a password is easy to guess, as the end of a sentence. */
export const weakPasswordTexts: Readonly<Record<PasswordWeakness, string>> = {
  own: 'it’s similar to your name, username, email address, or the name of this site',
  common: 'it’s a common password, or similar to one',
  keyboard: 'its characters are next to each other on the keyboard',
  repeated: 'it repeats the same characters',
  sequence: 'it’s a sequence such as abcd or 1234',
  date: 'it’s a date or a year',
  guessable: 'add another word or two',
};

/** Sentences for a keyword of a field that override the general ones. */
const special: Readonly<Record<string, string>> = {
  'username pattern': 'Username can only contain letters, digits, dots, dashes, and underscores',
  'username mismatch': 'This is not your username',
  'email pattern': 'Invalid email address',
  'usernameOrEmail pattern': 'Invalid email address',
  'profileImageUrl type': 'Pictures are uploaded. An address can’t be used as a picture.',
  'content minLength': 'Please enter a comment before submitting.',
  'content maxLength': `Comment cannot exceed ${limits.commentLength} characters.`,
  'options minItems': `Please enter at least ${limits.communityOptionsMin} options`,
  'options maxItems': `A poll can have at most ${limits.communityOptionsMax} options`,
  ...chooseOption,
  'protection unavailable':
    'This site can’t check that: a confirmed address needs email, and a check of the browser needs https',
  'optionIds uniqueItems': 'Choose each option once',
  'method needsSeveral': 'Only a poll whose voters choose several options has a least and a most number of them',
  'writeIns needsSingle': 'Voters can add an answer only to a poll whose voters choose one option',
  'minChoices moreThanMost': 'The least number of answers can’t be above the most',
  'maxChoices moreThanOptions': 'The poll has fewer options than that',
  'text repeated': 'This option is already listed',
  'id repeated': 'Two options have the same id',
  'category reserved': 'The archive uses this word for all categories. Choose another one',
  'link format': 'The link must be an address that starts with https:// or http://',
  'startsAt tooFar': `Start must be within ${limits.communityYearsAhead} years`,
  'endsAt tooFar': `End must be within ${limits.communityYearsAhead} years`,
  'startsAt format': 'Start must be a date, or a date and time',
  'endsAt format': 'End must be a date and time',
  'endsAt afterNow': 'End must be in the future',
  'redirectTo noSuchPoll': 'There’s no other open or closed poll with this id',
  'endsAt afterStart': 'End must be after the start',
};

/** One sentence per invalid field of a body, query, or path; for server and browser. */
export function fieldErrors(findings: readonly Finding[] | null | undefined): FieldError[] {
  const sentences = new Map<string, string>();
  for (const finding of findings ?? []) {
    // anyOf and if repeat the errors of their branches.
    if (finding.keyword === 'anyOf' || finding.keyword === 'if') continue;
    const field = fieldOf(finding);
    if (!sentences.has(field)) sentences.set(field, sentenceOf(field, finding));
  }
  return [...sentences].map(([field, message]) => ({ field, message }));
}

function fieldOf({ instancePath, keyword, params }: Finding): string {
  const path = instancePath.slice(1).replaceAll('/', '.');
  const member =
    keyword === 'required'
      ? params.missingProperty
      : keyword === 'additionalProperties'
        ? params.additionalProperty
        : '';
  return [path, String(member)].filter((part) => part !== '').join('.');
}

function sentenceOf(field: string, finding: Finding): string {
  const name = field.split('.').findLast((part) => !/^\d+$/.test(part)) ?? '';
  const { keyword, params } = finding;
  const found = special[`${name} ${keyword}`];
  if (found !== undefined) return found;
  if (keyword === 'additionalProperties') return `“${name}” is not expected here. Reload the page and try again.`;
  if (keyword === 'minProperties') return 'Please change at least one field';
  if (name === '') return 'We couldn’t understand this request. Reload the page and try again.';
  const label = labels.get(name) ?? wordsOf(name);
  const limit = Number(params.limit);
  switch (keyword) {
    case 'required':
      return `${label} is required`;
    case 'minLength':
      return limit === 1 ? `${label} is required` : `${label} must be at least ${limit} characters`;
    case 'maxLength':
      return `${label} cannot exceed ${limit} characters`;
    case 'weak':
      return `${label} is too easy to guess: ${weakPasswordTexts[params.weakness as PasswordWeakness]}`;
    case 'unprintable':
      return `${label} contains characters that can’t be displayed`;
    case 'handle':
      return `${label} can’t contain @, which marks usernames`;
    case 'lookalike':
      return `${label} mixes letters of alphabets that look alike`;
    case 'reserved':
      return `${label} would read like the name of this site or of the people who run it`;
    case 'storable':
      return `${label} contains a character that can’t be stored (NUL or an unpaired surrogate). Remove it and try again.`;
    default:
      return `${label} ${ruleOf(finding)}`;
  }
}

/** The rule that a value broke, as the continuation of its name. */
export function ruleOf({ keyword, params }: Finding): string {
  const limit = Number(params.limit).toLocaleString('en-US');
  switch (keyword) {
    case 'type':
      return typeRules.get(String(params.type)) ?? 'is not valid';
    case 'minimum':
      return `must be ${limit} or more`;
    case 'maximum':
      return `must be ${limit} or less`;
    case 'minLength':
      return limit === '1' ? 'must not be empty' : `must be at least ${limit} characters`;
    case 'maxLength':
      return `cannot exceed ${limit} characters`;
    case 'minItems':
      return `must have ${limit} or more entries`;
    case 'maxItems':
      return `must have ${limit} or fewer entries`;
    case 'uniqueItems':
      return 'must not contain duplicates';
    case 'const':
      return `must be ${String(params.allowedValue)}`;
    case 'enum':
      return oneOf(params.allowedValues as readonly unknown[]);
    case 'format':
      return formatRules.get(String(params.format)) ?? 'is not valid';
    default:
      return 'is not valid';
  }
}

/** Longer lists aren’t helpful. */
const valuesListed = 20;

function oneOf(values: readonly unknown[]): string {
  return values.length > valuesListed ? 'is not one of the known values' : `must be one of ${values.join(', ')}`;
}

const typeRules: ReadonlyMap<string, string> = new Map([
  ['string', 'must be text'],
  ['integer', 'must be a whole number'],
  ['number', 'must be a number'],
  ['boolean', 'must be true or false'],
  ['array', 'must be a list'],
]);

const formatRules: ReadonlyMap<string, string> = new Map([
  ['date', 'must be a date, such as 2026-11-20'],
  ['date-time', 'must be a date and time, such as 2026-11-20T12:00:00Z'],
]);

/** `closedAt` as "Closed at". */
function wordsOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
