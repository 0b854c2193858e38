import type { Attempt } from '#platform/attempts.ts';
import { subnetOf } from '#platform/trusted-proxies.ts';

const dayMs = 86_400_000;
/** Days after which an account is no longer new, and no longer young. */
const steps = { new: 1, young: 30 } as const;

/**
 * What a new poll counts against: the limits of every member and, depending on the age of the account in milliseconds,
 * narrower ones of the member and of all such members in its network, so that many new accounts don’t help.
 */
export function creationLimits(userId: string, address: string, age: number): readonly Attempt[] {
  const network = subnetOf(address);
  const always: readonly Attempt[] = [
    ['createPoll', userId],
    ['createPollFromAddress', address],
  ];
  if (age < steps.new * dayMs) return [...always, ['createPollWhenNew', userId], ['createPollNewNearby', network]];
  if (age < steps.young * dayMs)
    return [...always, ['createPollWhenYoung', userId], ['createPollYoungNearby', network]];
  return always;
}
