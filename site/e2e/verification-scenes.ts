import type { Page } from 'playwright';
import { keep, publish, publishedPoll, receipts, tampered } from './published-poll.ts';
import type { Scene } from './scene.ts';

const path = () => `/poll/${publishedPoll.id}/recount`;

async function recount(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Recount now' }).click();
  await page.getByRole('button', { name: 'Recount again' }).waitFor();
}

/** Recounts, and the receipts on a device. */
export const verificationScenes: readonly Scene[] = [
  { name: 'recount', path },
  {
    name: 'recount-verified',
    path,
    async prepare(page) {
      await keep(page, { 'weathervane-receipts': receipts });
      await publish(page);
    },
    act: recount,
  },
  {
    name: 'recount-not-verified',
    path,
    prepare: (page) => publish(page, tampered('changed option')),
    act: recount,
  },
  { name: 'recount-no-javascript', path, javaScript: false },
  { name: 'my-votes', path: () => '/my-votes', prepare: (page) => keep(page, { 'weathervane-receipts': receipts }) },
  { name: 'my-votes-none', path: () => '/my-votes' },
];
