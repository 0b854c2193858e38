import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SocialPicture } from '#domain/social-picture.ts';
import { PicturesBusyError, pictureStore } from './picture-store.ts';

const site = { siteName: 'Weathervane', host: 'polls.example' };
const about = (question: string): SocialPicture => ({ kind: 'open', question, category: null, options: [] });

describe('a cached picture', () => {
  let folder: string;
  let drawn: string[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weathervane-pictures-'));
    drawn = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Draws a colored square instead of the picture. */
  const drawer = {
    svg(picture: SocialPicture) {
      const text = picture.kind === 'open' ? picture.question : picture.kind;
      drawn.push(text);
      return Promise.resolve(
        `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><title>${text}</title><rect width="8" height="8"/></svg>`,
      );
    },
  };
  const store = (maxBytes?: number) =>
    pictureStore({ ...site, folder, drawer, ...(maxBytes !== undefined && { maxBytes }) });

  test('is drawn once for any number of concurrent and later requests', async () => {
    const pictures = store();
    const all = await Promise.all(Array.from({ length: 100 }, () => pictures.picture(about('Why?'))));
    await pictures.picture(about('Why?'));
    expect(drawn).toEqual(['Why?']);
    expect(new Set(all.map(({ digest }) => digest)).size).toBe(1);
    expect(all[0]?.png.subarray(1, 4).toString()).toBe('PNG');
  });

  test('is reused by the next process, and another question has another picture', async () => {
    const first = await store().picture(about('Why?'));
    const again = await store().picture(about('Why?'));
    const other = await store().picture(about('How?'));
    expect(again).toEqual(first);
    expect(other.digest).not.toBe(first.digest);
    expect(await readdir(folder)).toHaveLength(2);
  });

  test('is evicted for newer ones at the size limit', async () => {
    const { png } = await store().picture(about('Question 0'));
    const pictures = store(png.length * 5);
    for (let i = 1; i < 20; i += 1) await pictures.picture(about(`Question ${i}`));
    expect((await readdir(folder)).length).toBeLessThanOrEqual(5);
    expect((await pictures.picture(about('Question 0'))).png).toEqual(png);
  });

  test('is drawn when it is published, however many are waiting', async () => {
    const pictures = pictureStore({ ...site, folder, drawer });
    const all = Array.from({ length: 130 }, (_, i) => pictures.picture(about(`Question ${i}`)));
    expect(await Promise.all(all)).toHaveLength(130);
  });

  test('is refused when too many are waiting', async () => {
    const never = Promise.withResolvers<never>();
    const pictures = pictureStore({ ...site, folder, drawer: { svg: () => never.promise }, maxWaiting: 3 });
    const waiting = Array.from({ length: 3 }, (_, i) => pictures.picture(about(`Question ${i}`)));
    await expect(pictures.picture(about('One more'))).rejects.toBeInstanceOf(PicturesBusyError);
    never.reject(new Error('no face'));
    expect((await Promise.allSettled(waiting)).every(({ status }) => status === 'rejected')).toBe(true);
  });
});
