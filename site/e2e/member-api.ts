import type { Page } from 'playwright';
import { fullDecisions } from '#site/moderation/fixtures/decisions.ts';
import { fullNotifications, noNotifications } from '#site/members/notifications/fixtures/notifications.ts';
import {
  anna,
  fullProfile,
  fullTimeline,
  fullTracker,
  fullYear,
  newcomer,
  now,
  ownPolls,
  tracker,
  year,
} from '#site/members/profile/fixtures/member-data.ts';

/** The responses to a member’s pages: full, empty, never, or a failure. */
export type MemberState = 'full' | 'new' | 'waiting' | 'failing';

const emptyTimeline = { activities: [], total: 0, matching: 0, searched: null, next: null, stats: newcomer.stats };

/** Replaces the API’s responses about a member, so no account is needed. The date is that of the fixtures. */
export async function mockMember(page: Page, origin: string, state: MemberState): Promise<void> {
  const isNew = state === 'new';
  await page.context().addCookies([{ name: 'wv_account', value: '1', url: origin }]);
  await page.clock.setFixedTime(now);
  const answers: Readonly<Record<string, (query: URLSearchParams) => unknown>> = {
    '/api/user/profile': () => (isNew ? newcomer : fullProfile),
    '/api/user/activity-days': () => (isNew ? year() : fullYear),
    '/api/user/badges': () => (isNew ? tracker() : fullTracker),
    '/api/user/activities': (query) =>
      isNew ? emptyTimeline : fullTimeline(Number(query.get('before')), Number(query.get('limit')), query.get('type')),
    '/api/user/notifications': () => (isNew ? noNotifications : fullNotifications),
    '/api/user/moderation': () => (isNew ? { ...fullDecisions, suspended: false, decisions: [] } : fullDecisions),
    '/api/community-polls': () => (isNew ? [] : ownPolls),
  };
  await page.route(
    ({ pathname }) => pathname.startsWith('/api/user') || pathname === '/api/community-polls',
    async (route) => {
      const { pathname, searchParams } = new URL(route.request().url());
      if (pathname === '/api/user') return route.fulfill({ json: anna });
      if (pathname === '/api/user/summary')
        return route.fulfill({
          json: { badges: 21, polls: 14, activities: 1_406, newBadges: [], unreadNotifications: isNew ? 0 : 2 },
        });
      if (state === 'waiting') return undefined;
      if (state === 'failing') return route.abort();
      return route.fulfill({ json: answers[pathname]?.(searchParams) });
    },
  );
}
