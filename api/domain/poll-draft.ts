import * as limits from '#contract/limits.ts';
import type { ContentField, PollContent } from '#api/polls/poll-editor.contract.ts';
import { contentFields } from '#api/polls/poll-editor.contract.ts';
import { importLimits } from '#api/polls/import/poll-import.contract.ts';
import type { Poll } from '#api/polls/polls.contract.ts';
import type { ManagedState } from '#contract/vocabulary.ts';
import type { Finding } from '#texts/field-errors.ts';
import { changesIn, clashesIn } from './field-changes.ts';
import { isSourceLink, tidyProvenance } from './origin.ts';
import { orderOf } from './option-order.ts';
import { repeatedOptions } from './option-key.ts';
import { pollTextsFindings } from './poll-texts.ts';
import { isBlank, trimText } from './visible-text.ts';

/** The content of a new draft. */
export const emptyContent: PollContent = {
  ...{ question: '', description: '', options: ['1', '2', '3'].map((id) => ({ id, text: '' })) },
  ...{ category: null, tags: [], series: null, author: null, summary: null, analysis: null, methodologyNotes: null },
  ...{
    seriesNote: null,
    countryBreakdown: [],
    provenance: {},
    publishBallots: true,
    optionOrder: 'auto',
    protection: 'browser',
    startsAt: null,
    endsAt: null,
  },
};

/** A poll to ask the question again: without the texts about the results. */
export function copyOf(content: PollContent): PollContent {
  return { ...content, seriesNote: null, summary: null, analysis: null, countryBreakdown: [], provenance: {} };
}

/** The fields in which two contents differ, in the order of the form. */
export const changedFields = (before: PollContent, after: PollContent): ContentField[] =>
  changesIn(contentFields, before, after);

/** The fields of a published poll that can’t be changed any more, because voters have relied on them. */
export function lockedFields(state: ManagedState, hasVotes: boolean): ContentField[] {
  const hasOpened = state === 'open' || state === 'closed';
  return [
    ...(hasVotes ? (['options', 'optionOrder'] as const) : []),
    ...(hasOpened ? (['publishBallots', 'startsAt'] as const) : []),
    ...(state === 'closed' ? (['protection', 'endsAt'] as const) : []),
  ];
}

/** The fields that a draft changes and that were changed differently, in what is published, since it was begun from `base`. */
export const overlappingFields = (base: PollContent, draft: PollContent, published: PollContent): ContentField[] =>
  clashesIn(contentFields, base, draft, published);

/** The texts of the options that voters are offered. */
export const offeredTexts = ({ options }: Pick<PollContent, 'options'>): string[] =>
  options.slice(0, limits.offeredOptions).map(({ text }) => text);

/**
 * A content as it is stored: texts are trimmed already; empty optional texts are null, tags are unique, options and
 * countries without any text are left out, the order follows from the options, and times are in the one form that is compared.
 */
export function tidyContent(content: PollContent): PollContent {
  const orNull = (text: string | null) => (text === null || isBlank(text) ? null : text);
  const { category, series, seriesNote, author, summary, analysis, methodologyNotes, optionOrder } = content;
  const options = content.options.filter(({ text }) => !isBlank(text));
  return {
    ...content,
    ...{ category: orNull(category), series: orNull(series), author: orNull(author), summary: orNull(summary) },
    ...{ seriesNote: orNull(seriesNote), analysis: orNull(analysis), methodologyNotes: orNull(methodologyNotes) },
    provenance: tidyProvenance(content.provenance),
    ...{ startsAt: tidyTime(content.startsAt), endsAt: tidyTime(content.endsAt) },
    options,
    optionOrder: orderOf(optionOrder, offeredTexts({ options })),
    tags: [...new Set(content.tags.map(trimText).filter((tag) => tag !== ''))],
    countryBreakdown: content.countryBreakdown.filter(({ name }) => !isBlank(name)),
  };
}

/** A time in UTC with milliseconds; one that is none stays. */
const tidyTime = (moment: string | null) =>
  moment === null || Number.isNaN(Date.parse(moment)) ? moment : new Date(moment).toISOString();

/**
 * What keeps a tidy content from being published, by field, or of a poll that is published already, its changes; the rules
 * are those of imports. Times in milliseconds.
 */
export function contentFindings(content: PollContent, now: number, published: PollContent | null = null): Finding[] {
  const { startsAt, endsAt, countryBreakdown, options, provenance, ...texts } = content;
  const at = (instancePath: string, keyword: string, params = {}): Finding => ({ instancePath, keyword, params });
  const findings = pollTextsFindings({ ...texts, options });
  for (const field of ['question', 'description'] as const)
    if (isBlank(content[field])) findings.push(at(`/${field}`, 'minLength', { limit: 1 }));
  if (options.length < importLimits.optionsMin)
    findings.push(at('/options', 'minItems', { limit: importLimits.optionsMin }));
  const repeated = repeatedOptions(options);
  for (const [index, { id }] of options.entries()) {
    const earlier = options.slice(0, index);
    if (id === '' || earlier.some((option) => option.id === id)) findings.push(at(`/options/${index}/id`, 'repeated'));
    if (repeated.has(index)) findings.push(at(`/options/${index}/text`, 'repeated'));
  }
  const names = pollTextsFindings({ tags: countryBreakdown.map(({ name }) => name) });
  findings.push(
    ...names.map(({ instancePath, keyword }) => at(instancePath.replace('/tags', '/countryBreakdown'), keyword)),
  );
  for (const { instancePath, keyword } of pollTextsFindings({ ...provenance } as Record<string, string>))
    findings.push(at(`/provenance${instancePath}`, keyword));
  if (provenance.link !== undefined && !isSourceLink(provenance.link)) findings.push(at('/provenance/link', 'format'));
  const [start, end] = [startsAt, endsAt].map((moment) => (moment === null ? null : Date.parse(moment)));
  const latest = new Date(now).setUTCFullYear(new Date(now).getUTCFullYear() + limits.communityYearsAhead);
  for (const [field, moment] of [
    ['startsAt', start],
    ['endsAt', end],
  ] as const)
    if (moment === null || moment === undefined) findings.push(at('', 'required', { missingProperty: field }));
    else if (Number.isNaN(moment)) findings.push(at(`/${field}`, 'format'));
    else if (moment > latest) findings.push(at(`/${field}`, 'tooFar'));
  if (end != null && end <= now) findings.push(at('/endsAt', 'afterNow'));
  else if (start != null && end != null && end <= Math.max(start, now)) findings.push(at('/endsAt', 'afterStart'));
  if (published === null) return findings;
  const checked = new Set<string>(changedFields(published, content));
  if (checked.has('startsAt')) checked.add('endsAt');
  return findings.filter((finding) => checked.has(fieldOfFinding(finding)));
}

/** The field of a content that a finding is about. */
export const fieldOfFinding = ({ instancePath, params }: Finding): string =>
  instancePath.split('/')[1] ?? String(params.missingProperty);

/** Votes of the first options of a sample report; further options get few. */
const sampleVotes = [412, 305, 188, 61, 34, 17];

/** The poll as its report would look after voting, with votes that nobody cast. */
export function sampleReport(poll: Poll, closedAt: string): Poll {
  const options = poll.options.map((option, index) => ({ ...option, votes: sampleVotes[index] ?? 5 }));
  return {
    ...poll,
    options,
    totalVotes: options.reduce((sum, { votes }) => sum + votes, 0),
    ...{ isActive: false, closedAt, hasVoted: false, userVote: null },
  };
}
