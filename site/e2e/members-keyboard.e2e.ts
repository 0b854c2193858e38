import type { Page } from 'playwright/test';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { createPoll, newPerson, postComment, urlOf } from './community-people.ts';
import type { Person } from './community-people.ts';
import { expect, sampleOf, test } from './fixtures.ts';
import { keyboardOf } from './keyboard.ts';
import type { Keyboard } from './keyboard.ts';
import { mockMember } from './member-api.ts';

/* Every screen of a member with the keyboard only, on a phone, where the order of the page is what people see. */

interface Screen {
  readonly path: string | ((poll: CommunityPoll) => string);
  /** Who opens it: a visitor, Anna, or the member of the fixtures. */
  readonly as: 'visitor' | 'member' | 'fixture';
  /** What is there when the page is complete. */
  readonly ready: string;
  readonly dialogs?: RegExp;
  /** The main action, from the beginning of the page. */
  readonly act: (keys: Keyboard, page: Page, poll: CommunityPoll) => Promise<unknown>;
}

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByRole('main').getByLabel(name, { exact: true });
const made = 'x'.repeat(43);
/** A button that leads to a refusal, after which the focus is still in the page. */
const refused =
  (name: string, reason: string): Screen['act'] =>
  async (keys, page) => {
    const main = page.getByRole('main');
    await keys.use(button(page, name));
    await expect(main.getByRole('alert')).toContainText(reason);
    await expect(main.locator(':focus')).toHaveCount(1);
  };

const screens: Readonly<Record<string, Screen>> = {
  'the account page': {
    path: '/profile/account',
    as: 'member',
    ready: 'Delete account',
    dialogs: /^<button> (?!Upload).*…$/,
    async act(keys, page) {
      await keys.tabTo(field(page, 'First name'));
      await keys.type('Annabel');
      await keys.press('Enter');
      await expect(page.getByText('Your name has been updated.').first()).toBeVisible();
      await keys.at(field(page, 'First name'));
    },
  },
  'the sign-in page': {
    path: '/auth',
    as: 'visitor',
    ready: 'Welcome to Weathervane',
    async act(keys, page) {
      await keys.tabTo(field(page, 'Username').first());
      await keys.type(anna.username!);
      await keys.press('Tab');
      await keys.type('correct horse');
      await keys.press('Enter');
      await expect(page).toHaveURL('/');
    },
  },
  'recovery with a code or by mail': {
    path: '/auth/recover',
    as: 'visitor',
    ready: 'Forgot your password?',
    async act(keys, page) {
      await keys.tabTo(field(page, 'Username'));
      await keys.type('nobody-of-this-name');
      await keys.press('Tab');
      await keys.type('abcdef-ghjkmn-pqrstu-vwxyz2');
      await keys.press('Tab');
      await keys.type('another windy day');
      await keys.press('Enter');
      await keys.at(field(page, 'Recovery code'));
      await expect(field(page, 'Recovery code')).toHaveAccessibleDescription(
        /The username or the recovery code is wrong/,
      );
    },
  },
  'recovery with a link': {
    path: `/auth/recover#reset=${made}`,
    as: 'visitor',
    ready: 'Choose a new password',
    async act(keys, page) {
      await keys.tabTo(field(page, 'New password'));
      await keys.type('another windy day');
      await keys.press('Enter');
      await expect(page.getByRole('main').getByRole('alert')).toContainText('link');
      await keys.at(field(page, 'New password'));
    },
  },
  'the page behind the links of mails': {
    path: `/auth/email#confirm=${made}`,
    as: 'visitor',
    ready: 'Confirm your email address',
    act: refused('Confirm address', 'link'),
  },
  'an invitation link': {
    path: '/community-polls/join#invite=made-up',
    as: 'member',
    ready: 'You’re Invited to a Private Poll',
    act: refused('Join Poll', 'This link doesn’t work anymore'),
  },
  'the profile': {
    path: '/profile',
    as: 'fixture',
    ready: 'Your Year',
    async act(keys, page) {
      await keys.use(page.getByRole('main').getByRole('link', { name: 'Account settings' }));
      await expect(page).toHaveURL('/profile/account');
    },
  },
  'the activities': {
    path: '/profile/activities',
    as: 'fixture',
    ready: 'Activities',
    async act(keys, page) {
      await keys.tabTo(page.getByRole('main').getByRole('combobox').first());
      await keys.type('Comment');
      await expect(page).toHaveURL(/type=comment/);
    },
  },
  'the badge tracker': {
    path: '/profile/badges',
    as: 'fixture',
    ready: 'Badge Tracker',
    async act(keys, page) {
      await keys.tabTo(page.getByRole('tab', { name: /^Voting/ }));
      await keys.press('ArrowRight');
      await keys.at(page.getByRole('tab', { name: /^Creator/, selected: true }));
    },
  },
  'the notifications and their settings': {
    path: '/profile/notifications',
    as: 'member',
    ready: 'Follow in a feed reader',
    async act(keys, page) {
      const box = page.getByRole('checkbox', { name: 'My poll is featured' });
      await keys.tabTo(box);
      const saved = page.waitForResponse((response) => response.request().method() !== 'GET');
      await keys.press('Space');
      expect((await saved).ok()).toBe(true);
      await expect(box).not.toBeChecked();
      await keys.at(box);
    },
  },
  'the decisions of moderators': {
    path: '/profile/moderation',
    as: 'fixture',
    ready: 'Moderator Decisions',
    async act(keys, page) {
      await keys.use(button(page, 'Appeal'));
      const text = field(page, 'Why should this be decided differently?');
      await keys.at(text);
      await keys.press('Tab', 'Enter');
      await keys.at(text);
      await expect(text).toHaveAccessibleDescription(/Please explain why/);
    },
  },
  'the community polls of a member': {
    path: '/community-polls?show=mine',
    as: 'member',
    ready: 'Your Polls',
    async act(keys, page, poll) {
      await keys.use(page.getByRole('main').getByRole('link', { name: poll.question }));
      await expect(page).toHaveURL(urlOf(poll));
    },
  },
  'the form for a new poll': {
    path: '/community-polls/new',
    as: 'member',
    ready: 'Create Your Poll',
    async act(keys, page) {
      await keys.use(button(page, 'Create Poll'));
      await keys.at(field(page, 'Question'));
      await expect(field(page, 'Question')).toHaveAccessibleDescription(/Question is required/);
    },
  },
  'the creator’s page of a private poll': {
    path: urlOf,
    as: 'member',
    ready: 'Invite people',
    dialogs: /^<button> (Close Poll|Delete Poll|Delete comment)/,
    async act(keys, page) {
      await keys.tabTo(field(page, 'Username'));
      await keys.type(ben.username!);
      await keys.press('Enter');
      await expect(page.getByRole('list', { name: 'Invited people' })).toContainText(ben.name);
      await keys.at(field(page, 'Username'));
    },
  },
};

test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 390, height: 844 } });

let anna: Person;
let ben: Person;

test.beforeAll(async ({ browser }) => {
  anna = await newPerson(browser, 'Anna');
  ben = await newPerson(browser, 'Ben');
});

for (const [name, { path, as, ready, dialogs, act }] of sampleOf(Object.entries(screens)))
  test(`with the keyboard alone, a member reaches everything on ${name}, in order, and does what it is for`, async ({
    page,
    faults,
    baseURL,
  }) => {
    const keys = keyboardOf(page);
    const main = page.getByRole('main');
    if (as === 'fixture') await mockMember(page, baseURL!, 'full');
    else if (as === 'member') await page.context().addCookies(await anna.page.context().cookies());
    const poll = await createPoll(anna, { visibility: 'private', question: `Tea, asks Anna for ${name}?` });
    await postComment(anna, poll, 'Tea.');
    await page.goto(typeof path === 'string' ? path : path(poll), { waitUntil: 'networkidle' });
    await expect(page.getByRole('heading', { name: ready }).first()).toBeVisible();
    for (const use of [() => keys.walk(main, dialogs), () => act(keys, page, poll)]) {
      await page.getByRole('link', { name: /skip/i }).focus();
      await keys.press('Enter');
      await expect(main).toBeFocused();
      await use();
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    // Refusals are part of the stories.
    expect(faults.splice(0).filter((fault) => !/status of 4\d\d/.test(fault))).toEqual([]);
  });
