import { expect, test } from 'vitest';
import { publicMaxAgeSeconds } from '#platform/endpoint-router.ts';
import { sessionDays } from '#platform/session.ts';
import { endpoints } from '#api/endpoints.contract.ts';
import * as limits from './limits.ts';
import { rateLimits } from './rate-limits.ts';
import { activityTypes, communityCategories, historicalSorts, reservedPollIds, visibilities } from './vocabulary.ts';

/* Specified numbers and lists, repeated here because everything else reads them from the contract. */

test('[S9.1 S9.3 S9.5 S9.7 S9.8] page sizes and text lengths are as specified', () => {
  expect(limits).toMatchObject({
    historicalPageSize: 9,
    historicalPageSizeMax: 50,
    pageWindow: 5,
    offeredOptions: 3,
    relatedPolls: 6,
    countriesShown: 6,
    chartLabel: 15,
    breadcrumbQuestion: 40,
    metaDescription: 160,
    communityPageSize: 6,
    blogCardTags: 3,
    relatedArticles: 3,
    profileRecent: 5,
    badges: 54,
  });
});

test('[S9.7 S9.9] limits on members’ texts and lists are as specified', () => {
  expect(limits).toMatchObject({
    usernameMin: 3,
    usernameMax: 30,
    // Decided: the specification says 6.
    passwordMin: 8,
    passwordMax: 200,
    commentLength: 500,
    communityQuestion: 200,
    communityDescription: 2_000,
    communityOption: 120,
    communityOptionsMin: 2,
    communityOptionsMax: 10,
    importBytes: 20 * 1024 * 1024,
  });
});

test('[D9.2 D9.6 D9.16 D10.5 D10.7] the limits of the server are as decided', () => {
  expect({ ...limits, publicMaxAgeSeconds, sessionDays, ...rateLimits }).toMatchObject({
    importRows: 50_000,
    jsonBodyBytes: 100_000,
    longJsonBodyBytes: 2_000_000,
    publicMaxAgeSeconds: 300,
    sessionDays: 30,
    adminFailures: { points: 5, seconds: 60 },
  });
});

test('[S9.4 S9.16 S9.19] delays are as specified', () => {
  expect(limits).toMatchObject({
    pollRefetchMs: 30_000,
    toastDisplayMs: 5_000,
    toastRemoveMs: 1_000_000,
    toastSwipePx: 50,
    tooltipDelayMs: 700,
    tooltipSkipDelayMs: 300,
    copiedIndicatorMs: 2_000,
  });
});

test('[S1.10 S3.20 S7.18] community polls have the fifteen categories and three visibilities', () => {
  expect(communityCategories).toEqual([
    'General',
    'Politics',
    'Technology',
    'Business & Finance',
    'Science',
    'Health',
    'Education',
    'Environment',
    'Sports',
    'Entertainment',
    'Lifestyle',
    'Travel',
    'Gaming',
    'World News',
    'Local Issues',
  ]);
  expect(visibilities).toEqual(['public', 'unlisted', 'private']);
});

test('[S3.15 S9.1 D4.6] the archive has four sort orders, activities have four types, and four ids are reserved', () => {
  expect(historicalSorts).toEqual(['newest', 'oldest', 'most-voted', 'least-voted']);
  expect(activityTypes).toEqual(['vote', 'poll_created', 'comment', 'badge_earned']);
  expect(reservedPollIds).toEqual(['active', 'historical', 'related', 'bulk-upload']);
});

test('[D2.3] only the vote status has a device id in its URL', () => {
  const inAddress = Object.entries(endpoints).filter(([, endpoint]) => {
    const parts = [endpoint.path, 'params' in endpoint && endpoint.params, 'query' in endpoint && endpoint.query];
    return /device|fingerprint/i.test(JSON.stringify(parts));
  });
  expect(inAddress.map(([name]) => name)).toEqual(['communityVoteStatus']);
});
