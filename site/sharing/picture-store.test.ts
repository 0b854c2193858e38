import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SocialPicture } from '#domain/social-picture.ts';
import { sharingTexts } from '#texts/sharing.ts';
import { pictureDrawer, pictureTexts } from './draw-picture.ts';
import { PicturesBusyError, pictureStore } from './picture-store.ts';

const site = { siteName: 'Weathervane', host: 'polls.example' };
const about = (question: string): SocialPicture => ({ kind: 'open', question, category: null });

describe('a cached picture', () => {
  let folder: string;
  let drawn: string[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weathervane-pictures-'));
    drawn = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Draws a colored square instead of the picture. */
  const drawer = Promise.resolve({
    svg(picture: SocialPicture) {
      const text = picture.kind === 'open' ? picture.question : picture.kind;
      drawn.push(text);
      return Promise.resolve(
        `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><title>${text}</title><rect width="8" height="8"/></svg>`,
      );
    },
  });
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
    const pictures = pictureStore({ ...site, folder, drawer: never.promise, maxWaiting: 3 });
    const waiting = Array.from({ length: 3 }, (_, i) => pictures.picture(about(`Question ${i}`)));
    await expect(pictures.picture(about('One more'))).rejects.toBeInstanceOf(PicturesBusyError);
    never.reject(new Error('no face'));
    expect((await Promise.allSettled(waiting)).every(({ status }) => status === 'rejected')).toBe(true);
  });
});

describe('a drawing', () => {
  const result: SocialPicture = {
    kind: 'result',
    question: 'Train or plane?',
    category: 'Travel',
    leaders: ['Train'],
    percent: 61.4,
    share: 0.614,
    votes: 1_204,
    bars: [
      { text: 'Train', percent: 61.4, position: 0 },
      { text: 'Plane', percent: 38.6, position: 1 },
    ],
  };
  const none = () => false;
  const letters = (unsupported: RegExp) => (text: string) => unsupported.test(text);

  test('states the result: every answer with its share, or that nobody voted', () => {
    expect(pictureTexts(result, site, none)).toMatchObject({
      kicker: 'Poll Closed · Travel',
      note: '',
      small: '1,204 votes · polls.example',
      share: 0.614,
      bars: result.bars,
    });
    const nobody = { ...result, leaders: [], percent: 0, share: undefined, votes: 0, bars: [] };
    expect(pictureTexts(nobody, site, none)).toMatchObject({
      share: undefined,
      dial: false,
      note: sharingTexts.picture.nobody,
      small: 'polls.example',
    });
  });

  test('shows votes received and counted where they differ, and no leading answer while votes are held', () => {
    const setAside = { ...result, votes: 1, received: 2_201 };
    expect(pictureTexts(setAside, site, none).small).toBe('2,201 votes received, 1 counted · polls.example');
    const noLeader = { ...setAside, leaders: [], percent: 0, share: undefined };
    expect(pictureTexts({ ...noLeader, provisional: true }, site, none)).toMatchObject({
      note: sharingTexts.picture.provisional,
      small: '2,201 votes received, 1 counted · polls.example',
    });
    expect(pictureTexts({ ...noLeader, votes: 0 }, site, none).note).toBe(sharingTexts.picture.noneCounted);
  });

  test('says how many votes of a flagged poll are independent, and that another answer leads among them', () => {
    const flagged = { ...result, votes: 1_400, independent: 200, otherLeader: true } as const;
    expect(pictureTexts(flagged, site, none)).toMatchObject({
      note: 'Another answer leads with one vote per network.',
      small: '1,400 votes, 200 independent · polls.example',
    });
  });

  test('has no figures for an open poll', () => {
    const { bars, share, ...texts } = pictureTexts(about('Train or plane?'), site, none);
    expect([bars, share]).toEqual([[], undefined]);
    expect(JSON.stringify(texts)).not.toMatch(/\d/);
  });

  test('replaces texts that the font can’t draw with neutral ones', () => {
    const foreign = {
      ...result,
      question: 'قطار؟',
      leaders: ['قطار'],
      bars: [{ text: 'قطار', percent: 61.4, position: 0 }],
      category: '旅',
    };
    expect(pictureTexts(foreign, site, letters(/[^\0-\u024f]/))).toMatchObject({
      kicker: 'Poll Closed',
      headline: sharingTexts.picture.closedQuestion,
      bars: [{ text: 'Answer 1', percent: 61.4, position: 0 }],
    });
  });

  test('requests no fonts and has no empty boxes in any script', async () => {
    const drawer = await pictureDrawer(site);
    const neutral = await drawer.svg(about(sharingTexts.picture.openQuestion));
    for (const question of ['هل تفضل القطار؟', 'האם?', '夜行列車？', '🍎 or 🍊?', 'Поезд?', '→'])
      expect(await drawer.svg(about(question))).toBe(neutral);
    const latin = await drawer.svg(about('Łódź, Việt Nam, čeština: naïve façade?'));
    expect(latin).not.toBe(neutral);
    for (const drawing of [neutral, latin]) expect(drawing).not.toMatch(/<text|font-family|<image/);
  });
});
