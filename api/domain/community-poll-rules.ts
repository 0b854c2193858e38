import type { NewCommunityPoll } from '#contract/community-poll.ts';
import type { Finding } from '#texts/field-errors.ts';

/** What tells options apart: two whose keys are equal would look the same to a voter. */
export function optionKey(text: string): string {
  // There and back is what comes closest to case folding: "Straße" and "STRASSE" meet, as do both small sigmas.
  return text.trim().normalize('NFC').toUpperCase().toLowerCase();
}

/**
 * What the schema of a new community poll cannot say, for server and browser: nothing is blank, no two options are
 * equal, and the end lies after the start and after now (milliseconds). Empty when all is well.
 */
export function newCommunityPollFindings(
  { question, options, startsAt, endsAt }: Pick<NewCommunityPoll, 'question' | 'options' | 'startsAt' | 'endsAt'>,
  now: number,
): Finding[] {
  const findings: Finding[] = [];
  if (question.trim() === '') findings.push(blank('/question'));
  const seen = new Set<string>();
  for (const [index, { text }] of options.entries()) {
    const path = `/options/${index}/text`;
    const key = optionKey(text);
    if (key === '') findings.push(blank(path));
    else if (seen.has(key)) findings.push({ keyword: 'repeated', instancePath: path, params: {} });
    seen.add(key);
  }
  if (endsAt != null) {
    const end = Date.parse(endsAt);
    const keyword = end <= now ? 'afterNow' : startsAt != null && end <= Date.parse(startsAt) ? 'afterStart' : null;
    if (keyword !== null) findings.push({ keyword, instancePath: '/endsAt', params: {} });
  }
  return findings;
}

/** The finding that the schema's own `minLength: 1` would have made of nothing at all. */
const blank = (instancePath: string): Finding => ({ keyword: 'minLength', instancePath, params: { limit: 1 } });
