import type { Page } from 'playwright';
import { fullProfile } from '#site/profile/fixtures/member-data.ts';
import { mockMember } from './member-api.ts';
import type { MemberState } from './member-api.ts';
import { offline } from './scene.ts';
import type { Scene } from './scene.ts';

const inState = (state: MemberState) => async (page: Page, origin: string) => mockMember(page, origin, state);
const { stats } = fullProfile;
const pages = {
  ...{ profile: '/profile', activities: '/profile/activities', badges: '/profile/badges' },
  ...{ notifications: '/profile/notifications', moderation: '/profile/moderation' },
} as const;

/** The pages of a member: full, empty, loading, and failed. */
export const profileScenes: readonly Scene[] = [
  ...Object.entries(pages).flatMap(([name, path]): Scene[] => [
    { name, path: () => path, prepare: inState('full') },
    { name: `${name}-new`, path: () => path, prepare: inState('new') },
    { name: `${name}-loading`, path: () => path, prepare: inState('waiting') },
    { name: `${name}-failed`, path: () => path, prepare: inState('failing') },
  ]),
  { name: 'profile-signed-out', path: () => pages.profile },
  { name: 'profile-no-javascript', path: () => pages.profile, javaScript: false },
  {
    name: 'profile-gate-failed',
    path: () => pages.profile,
    async prepare(page, origin) {
      await page.context().addCookies([{ name: 'wv_account', value: '1', url: origin }]);
      await offline(page);
    },
  },
  { name: 'activities-signed-out', path: () => pages.activities },
  { name: 'badges-signed-out', path: () => pages.badges },
  { name: 'notifications-signed-out', path: () => pages.notifications },
  { name: 'moderation-signed-out', path: () => pages.moderation },
  {
    name: 'moderation-appeal',
    path: () => pages.moderation,
    prepare: inState('full'),
    async act(page) {
      await page.getByRole('button', { name: 'Appeal' }).first().click();
      await page.getByRole('button', { name: 'Send Appeal' }).click();
    },
  },
  {
    name: 'activities-nothing-found',
    path: () => `${pages.activities}?q=zebra`,
    async prepare(page, origin) {
      await mockMember(page, origin, 'full');
      await page.route('**/api/user/activities?*', (route) =>
        route.fulfill({
          json: { activities: [], total: 1_406, matching: 0, searched: 1_406, next: null, stats },
        }),
      );
    },
  },
  { name: 'activities-filtered', path: () => `${pages.activities}?type=comment`, prepare: inState('full') },
  ...['creator', 'activity', 'community'].map((category): Scene => ({
    name: `badges-${category}`,
    path: () => `${pages.badges}#${category}`,
    prepare: inState('full'),
  })),
  ...Object.entries(pages).map(([name, path]): Scene => ({
    name: `${name}-print`,
    path: () => path,
    prepare: inState('full'),
    print: true,
  })),
  { name: 'badges-fun', path: () => `${pages.badges}#fun`, prepare: inState('full') },
  {
    name: 'profile-year-table',
    path: () => pages.profile,
    prepare: inState('full'),
    act: async (page) => page.getByText('Show as a table').click(),
  },
  {
    name: 'badge-earned',
    path: () => '/',
    fullPage: false,
    async prepare(page, origin) {
      const username = `rosa-${Date.now().toString(36)}`;
      await page.request.post(`${origin}/api/register`, { data: { username, password: 'correct horse' } });
      const id = ((await (await page.request.get(`${origin}/api/polls/active`)).json()) as { id: string }[])[0]!.id;
      const headers = { 'x-device-id': `device_${Date.now().toString(36)}${'0'.repeat(20)}` };
      const data = { optionId: 'option-1' };
      await page.request.post(`${origin}/api/polls/${id}/vote`, { headers, data });
    },
    act: async (page) =>
      page
        .getByText(/Badge earned|badges earned/)
        .first()
        .waitFor(),
  },
];
