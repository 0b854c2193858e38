import type { Page } from 'playwright';
import { signInNewMember, offline, refusing, neverResponding, scrollToTop } from './scene.ts';
import type { Scene } from './scene.ts';

async function openPollForm(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Question' }).waitFor();
}

async function fillPollForm(page: Page): Promise<void> {
  await openPollForm(page);
  await page.getByRole('textbox', { name: 'Question' }).fill('Who brings the cake?');
  await page.getByRole('textbox', { name: 'Option 1' }).fill('I do');
  await page.getByRole('textbox', { name: 'Option 2' }).fill('You do');
}

const create = (page: Page) => page.getByRole('button', { name: 'Create Poll', exact: true }).click();

/** The list of community polls, and the form that creates one. */
export const communityListScenes: readonly Scene[] = [
  { name: 'community-list', path: () => '/community-polls' },
  { name: 'community-list-member', path: () => '/community-polls', prepare: signInNewMember },
  { name: 'community-list-page', path: () => '/community-polls?page=2' },
  { name: 'community-list-filtered', path: () => '/community-polls?state=open&sort=most-voted' },
  { name: 'community-list-invited', path: () => '/community-polls?show=invited', prepare: signInNewMember },
  { name: 'community-list-empty', path: () => '/community-polls?category=World+News', prepare: signInNewMember },
  { name: 'community-list-past-the-end', path: () => '/community-polls?page=99' },
  { name: 'community-list-invalid', path: () => '/community-polls?page=0' },
  { name: 'community-list-api-away', path: () => '/community-polls', prepare: offline },
  {
    name: 'community-list-failed',
    path: () => '/community-polls?show=mine',
    async prepare(page, origin) {
      await signInNewMember(page, origin);
      await page.route('**/api/community-polls?*', (route) => route.abort());
    },
    act: async (page) => page.getByText('Try again').waitFor(),
  },
  { name: 'community-list-no-javascript', path: () => '/community-polls?page=2', javaScript: false },
  {
    name: 'community-list-loading',
    path: () => '/community-polls?show=mine',
    async prepare(page, origin) {
      await signInNewMember(page, origin);
      await neverResponding(page, '**/api/community-polls?*');
    },
  },
  { name: 'community-list-mine', path: () => '/community-polls?show=mine', prepare: signInNewMember },
  {
    name: 'community-list-mine-some',
    path: () => '/community-polls?show=mine',
    async prepare(page, origin) {
      await signInNewMember(page, origin);
      for (const visibility of ['private', 'unlisted'])
        await page.request.post(`${origin}/api/community-polls`, {
          data: {
            question: `Whose turn is it to write the minutes, of the ${visibility} kind?`,
            visibility,
            options: ['Mine', 'Yours'].map((text, at) => ({ id: `option-${at + 1}`, text })),
          },
        });
    },
  },
  { name: 'community-list-mine-signed-out', path: () => '/community-polls?show=mine' },
  { name: 'community-form', path: () => '/community-polls/new', prepare: signInNewMember, act: openPollForm },
  {
    name: 'community-form-wrong',
    path: () => '/community-polls/new',
    prepare: signInNewMember,
    async act(page) {
      await openPollForm(page);
      await page.getByRole('textbox', { name: 'Option 1' }).fill('The same');
      await page.getByRole('textbox', { name: 'Option 2' }).fill('the same');
      for (let more = 0; more < 3; more++) await page.getByRole('button', { name: 'Add option' }).click();
      await page.getByRole('form').getByText('Settings', { exact: true }).click();
      await page.getByLabel('End', { exact: true }).fill('2020-01-01');
      await create(page);
      await page.getByText('Question is required').waitFor();
      await scrollToTop(page);
    },
  },
  {
    name: 'community-form-created',
    path: () => '/community-polls/new',
    prepare: signInNewMember,
    async act(page) {
      await fillPollForm(page);
      await page.getByRole('form').getByText('Settings', { exact: true }).click();
      await page.getByLabel('Visibility').selectOption('private');
      await create(page);
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'community-form-pending',
    path: () => '/community-polls/new',
    prepare: signInNewMember,
    async act(page) {
      await fillPollForm(page);
      await neverResponding(page, '**/api/community-polls');
      await create(page);
      await scrollToTop(page);
    },
  },
  {
    name: 'community-form-failed',
    path: () => '/community-polls/new',
    prepare: signInNewMember,
    async act(page) {
      await fillPollForm(page);
      await refusing(page, '**/api/community-polls', 500, {});
      await create(page);
      await page.getByText('Failed to create poll. Please try again.').first().waitFor();
      await scrollToTop(page);
    },
  },
  {
    name: 'community-form-session-over',
    path: () => '/community-polls/new',
    prepare: signInNewMember,
    async act(page) {
      await fillPollForm(page);
      await page.context().clearCookies();
      await create(page);
      await page.getByRole('status').getByRole('link').waitFor();
      await scrollToTop(page);
    },
  },
  {
    name: 'community-form-draft',
    path: () => '/community-polls/new',
    prepare: signInNewMember,
    async act(page) {
      await fillPollForm(page);
      await page.reload();
      await page.getByRole('textbox', { name: 'Question' }).waitFor();
      await scrollToTop(page);
    },
  },
  { name: 'invitation', path: () => '/community-polls/join#invite=made-up' },
  {
    name: 'invitation-refused',
    path: () => '/community-polls/join#invite=made-up',
    prepare: signInNewMember,
    async act(page) {
      await page.getByRole('button', { name: 'Join Poll' }).click();
      await page.getByRole('main').getByRole('alert').waitFor();
    },
  },
  { name: 'community-form-signed-out', path: () => '/community-polls/new' },
  {
    name: 'community-form-hints',
    path: () => '/community-polls/new',
    prepare: signInNewMember,
    async act(page) {
      await openPollForm(page);
      await page
        .getByRole('textbox', { name: 'Question' })
        .fill('Don’t you agree that we need a shed and better lights?');
      await page.getByText('This may be two questions in one').waitFor();
      await scrollToTop(page);
    },
  },
];
