import { createArticle } from '#api/content/entries.service.ts';
import { insertImage } from '#api/content/images.service.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { testNow } from './test-app.ts';

/** A draft with its history, and a picture. */
export async function seedText(db: Database): Promise<void> {
  const clock = fixedClock(testNow);
  await createArticle({ db, clock }, 'rosa', { name: 'on-ties', title: 'Größe 🌬️ \\N "quoted"' });
  const content = Buffer.from([0, 255, 10, 92, 46]);
  await insertImage(db, { name: `${'A'.repeat(43)}-1x1`, content, created_at: testNow, created_by: 'rosa' });
}
