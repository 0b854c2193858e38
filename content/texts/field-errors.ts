import type { FieldError } from '#contract/error-codes.ts';
import { limits } from '#contract/limits.ts';

/** What a validator found, in the form that ajv gives it (its ErrorObject). */
export interface Finding {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string | undefined;
}

/** Names of fields as a person reads them; a field that is not here goes by its own name. */
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
  }),
);

/** Sentences for one keyword of one field, where the general ones would not help. */
const special: Readonly<Record<string, string>> = {
  'username pattern': 'Username may have letters, digits, dots, dashes and underscores only',
  'username mismatch': 'This is not your username',
  'email format': 'Invalid email address',
  'profileImageUrl pattern': 'Picture must be an address that begins with http:// or https://',
  'profileImageUrl credentials': 'Picture must not have a username or password in its address',
  'content minLength': 'Please enter a comment before submitting.',
  'content maxLength': `Comment cannot exceed ${limits.commentLength} characters.`,
  'options minItems': `Please give at least ${limits.communityOptionsMin} options`,
  'options maxItems': `A poll has at most ${limits.communityOptionsMax} options`,
  'text repeated': 'This option is there already',
  'id repeated': 'Two options have the same id',
  'category reserved': 'The archive uses this word for all categories. Choose another one',
  'startsAt tooFar': `Start must lie within ${limits.communityYearsAhead} years`,
  'endsAt tooFar': `End must lie within ${limits.communityYearsAhead} years`,
  'startsAt format': 'Start is not a date and time',
  'endsAt format': 'End is not a date and time',
  'endsAt afterNow': 'End must lie in the future',
  'endsAt afterStart': 'End must be after the start',
};

/** One sentence for each field of a body, query or path that a schema of the contract refused; for server and browser. */
export function fieldErrors(findings: readonly Finding[] | null | undefined): FieldError[] {
  const sentences = new Map<string, string>();
  for (const finding of findings ?? []) {
    // The branches of anyOf, one by one, and the keyword itself would say the same thing several times.
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

function sentenceOf(field: string, { keyword, params, message }: Finding): string {
  const name = field.split('.').findLast((part) => !/^\d+$/.test(part)) ?? '';
  const label = name === '' ? 'The request' : (labels.get(name) ?? name);
  const limit = Number(params.limit);
  const found = special[`${name} ${keyword}`];
  if (found !== undefined) return found;
  switch (keyword) {
    case 'required':
      return `${label} is required`;
    case 'minLength':
      return limit === 1 ? `${label} is required` : `${label} must be at least ${limit} characters`;
    case 'maxLength':
      return `${label} cannot exceed ${limit} characters`;
    case 'additionalProperties':
      return `${label} is not a field of this call`;
    case 'unprintable':
      return `${label} has characters that cannot be shown`;
    case 'const':
      return `${label} must be ${String(params.allowedValue)}`;
    case 'enum':
      return `${label} must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
    case 'storable':
      return `${label} has a character that cannot be kept (NUL, or half of a pair). Remove it and try again.`;
    default:
      return `${label} ${message ?? 'is not valid'}`;
  }
}
