import type { Page } from 'playwright';
import { signInToDesk } from './scene.ts';
import type { Scene } from './scene.ts';

const editor = (entry: string) => () => `/admin/content?entry=${entry}`;

/** Opens the editor, whose preview is rendered by the API. */
async function openEditor(page: Page): Promise<void> {
  await signInToDesk(page);
  await page.getByRole('region', { name: 'Preview' }).locator('p').first().waitFor();
}

/** The list of articles and pages, and their editor. Nothing is saved. */
export const contentScenes: readonly Scene[] = [
  {
    name: 'admin-content',
    path: () => '/admin/content',
    async act(page) {
      await signInToDesk(page);
      await page.getByRole('heading', { name: 'Legal pages' }).waitFor();
    },
  },
  { name: 'admin-content-article', path: editor('blog/what-a-tie-means'), act: openEditor },
  { name: 'admin-content-about', path: editor('pages/about'), act: openEditor },
  {
    name: 'admin-content-new',
    path: () => '/admin/content',
    fullPage: false,
    async act(page) {
      await signInToDesk(page);
      await page.getByRole('button', { name: 'New article' }).click();
      await page.getByLabel('Title').fill('What a tie means in a small town');
    },
  },
  {
    name: 'admin-content-problem',
    path: editor('blog/what-a-tie-means'),
    async act(page) {
      await openEditor(page);
      await page.route('**/api/admin/content/blog/what-a-tie-means', (route) => route.abort());
      await page.getByLabel('Text', { exact: true }).fill('Words.\n\n<b>HTML</b>');
      await page
        .getByText(/^Line 3: HTML/)
        .first()
        .waitFor();
    },
  },
];
