import { registrationCrowd } from '#api/members/accounts/accounts.service.ts';
import { knownDeviceDays } from '#api/members/accounts/known-devices.service.ts';
import * as limits from '#contract/limits.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { erasedAfterMs } from '#api/voting/erasure.service.ts';
import { voterCookieDays } from '#api/voting/voter.ts';

const grouped = (count: number) => count.toLocaleString('en-US');

/**
 * Facts about this site that articles and pages name as `{votesPerMinute}`: numbers of the code, so that a text can’t
 * describe an older one.
 */
export const facts: Readonly<Record<string, string>> = {
  votesPerMinute: grouped(rateLimits.vote.points),
  voterCookieDays: grouped(voterCookieDays),
  knownDeviceDays: grouped(knownDeviceDays),
  registrationCrowd: grouped(registrationCrowd),
  erasedAfterDays: grouped(erasedAfterMs / 86_400_000),
  timelineVotes: grouped(limits.timelineVotes),
  fewVotes: grouped(limits.fewVotes),
  refetchSeconds: grouped(limits.pollRefetchMs / 1_000),
  communityQuestion: grouped(limits.communityQuestion),
  communityDescription: grouped(limits.communityDescription),
  communityOption: grouped(limits.communityOption),
};

const names = /\{([a-z][A-Za-z]+)\}/g;

/** A text with the facts in place of their names; other names in braces stay. */
export const fillFacts = (text: string): string =>
  text.replace(names, (written, name: string) => (Object.hasOwn(facts, name) ? facts[name]! : written));

/** The names in braces that neither a fact nor, on a page, a setting has, each once; code is left out. */
export function unknownNames(text: string, settings: readonly string[]): string[] {
  const prose = text.replace(/^```[^]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  const found = [...prose.matchAll(names)].map(([, name]) => name!);
  return [...new Set(found)].filter((name) => !Object.hasOwn(facts, name) && !settings.includes(name));
}
