import { describe, expect, test } from 'vitest';
import type { ResultPicture, SocialPicture } from '#domain/social-picture.ts';
import { sharingTexts } from '#texts/sharing.ts';
import { pictureDrawer } from './draw-picture.ts';
import { lettersOf } from './letters.ts';
import { pictureTexts } from './picture-texts.ts';

const site = { siteName: 'Weathervane', host: 'polls.example' };
const result: ResultPicture = {
  kind: 'result',
  question: 'Train or plane?',
  category: 'Travel',
  closedAt: '2014-06-05T12:00:00.000Z',
  leaders: ['Train'],
  percent: 61.4,
  share: 0.614,
  votes: 1_204,
  bars: [
    { text: 'Train', percent: 61.4, position: 0 },
    { text: 'Plane', percent: 38.6, position: 1 },
  ],
};
const open: SocialPicture = { kind: 'open', question: 'Train or plane?', category: null, options: ['Train', 'Plane'] };

describe('the texts of a picture', () => {
  const all = (text: string) => text;

  test('state the result: every answer with its share, votes, and day, or that nobody voted', () => {
    expect(pictureTexts(result, site, all)).toMatchObject({
      kicker: 'Poll Closed · Travel',
      note: '',
      small: '1,204 votes · Closed Jun 5, 2014 · polls.example',
      share: 0.614,
      rows: [
        { text: 'Train', bar: { percent: 61.4, position: 0 } },
        { text: 'Plane', bar: { percent: 38.6, position: 1 } },
      ],
    });
    const nobody = { ...result, leaders: [], percent: 0, share: undefined, votes: 0, bars: [] };
    expect(pictureTexts(nobody, site, all)).toMatchObject({
      share: undefined,
      dial: false,
      note: sharingTexts.picture.nobody,
      small: 'Closed Jun 5, 2014 · polls.example',
    });
  });

  test('show votes received and counted where they differ, and no leading answer while votes are held', () => {
    const setAside = { ...result, closedAt: null, votes: 1, received: 2_201 };
    expect(pictureTexts(setAside, site, all).small).toBe('2,201 votes received, 1 counted · polls.example');
    const noLeader = { ...setAside, leaders: [], percent: 0, share: undefined };
    expect(pictureTexts({ ...noLeader, provisional: true }, site, all)).toMatchObject({
      note: sharingTexts.picture.provisional,
      small: '2,201 votes received, 1 counted · polls.example',
    });
    expect(pictureTexts({ ...noLeader, votes: 0 }, site, all).note).toBe(sharingTexts.picture.noneCounted);
  });

  test('say how many votes of a flagged poll are independent, and that another answer leads among them', () => {
    const flagged = { ...result, votes: 1_400, independent: 200, otherLeader: true } as const;
    expect(pictureTexts(flagged, site, all)).toMatchObject({
      note: 'Another answer leads with one vote per network.',
      small: '1,400 votes, 200 independent · Closed Jun 5, 2014 · polls.example',
    });
  });

  test('have the answers of an open poll, and no figures', () => {
    const { share, ...texts } = pictureTexts(open, site, all);
    expect([share, texts.rows]).toEqual([undefined, [{ text: 'Train' }, { text: 'Plane' }]]);
    expect(JSON.stringify(texts)).not.toMatch(/\d/);
  });

  test('are the category, or the site’s name, where nobody could read the question', () => {
    const readable = (text: string) => (text.startsWith('T') ? text : null);
    expect(pictureTexts({ ...result, question: 'მატარებელი?' }, site, readable)).toMatchObject({
      kicker: 'Poll Closed',
      headline: 'Travel',
      small: '1,204 votes · Closed Jun 5, 2014 · polls.example',
      rows: [],
    });
    expect(pictureTexts({ ...open, question: 'მატარებელი?' }, site, readable).headline).toBe('polls.example');
    // Some answers without the others would mislead.
    expect(pictureTexts(result, site, readable)).toMatchObject({ headline: 'Train or plane?', rows: [] });
  });
});

describe('a drawing', () => {
  const drawer = pictureDrawer(site);
  const outlines = (svg: string) => Array.from(svg.matchAll(/<path transform[^>]* d="([^"]+)"/g), ([, path]) => path);
  /** The outlines of a text in the order of its lines, each from left to right. */
  const drawn = async (text: string, width = 10_000) =>
    outlines((await lettersOf([text])).set(text, 100, width).draw(0, 0));

  test('has the letters of every script, each with a form of its own', async () => {
    // Letters that don’t change beside each other.
    for (const letters of ['Łđờ', 'Жя', 'Ωλ', 'דרז', 'กขค', 'कखग', '电车夜', 'あアん', '가밤한', '١٢٣', '→€']) {
      const shapes = await drawn(letters);
      expect([letters, new Set(shapes).size]).toEqual([letters, Array.from(letters).length]);
    }
  });

  test('joins Arabic letters, forms Devanagari conjuncts, and places Thai and Hebrew marks', async () => {
    const [alone] = await drawn('ع');
    expect(await drawn('ععع')).not.toContain(alone);
    expect((await drawn('क्ष')).length).toBeLessThan((await drawn('क ् ष')).length);
    for (const [base, marked] of [
      ['ก', 'กี่'],
      ['ש', 'שָׁ'],
    ] as const) {
      const width = async (text: string) => (await lettersOf([text])).set(text, 100, 1_000).width;
      expect(await width(marked)).toBeCloseTo(await width(base), 0);
    }
  });

  test('reads Hebrew and Arabic from the right, with figures and Latin words in their own direction', async () => {
    const [alef, bet, one, two] = await Promise.all(['א', 'ב', '1', '2'].map(async (text) => (await drawn(text))[0]));
    expect(await drawn('אב 12')).toEqual([one, two, bet, alef]);
    const letters = await lettersOf(['אב', 'ab']);
    expect([letters.set('אב', 10, 100).isRightToLeft, letters.set('ab', 10, 100).isRightToLeft]).toEqual([true, false]);
  });

  test('starts at the right edge where its question is read from the right', async () => {
    const places = async (question: string) => {
      const svg = await drawer.svg({ ...result, question, bars: [{ text: question, percent: 100, position: 0 }] });
      return Number(/<rect x="([\d.]+)"/.exec(svg)?.[1]);
    };
    expect(await places('Train?')).toBeLessThan(300);
    const block = (await lettersOf(['רכבת'])).set('רכבת', 50, 500);
    const left = Number(/translate\(([\d.]+)/.exec(block.draw(1_000, 0, 'right'))?.[1]);
    expect(left + block.width).toBeCloseTo(1_000, 1);
    const svg = await drawer.svg({ ...result, question: 'רכבת?', bars: [{ text: 'רכבת', percent: 100, position: 0 }] });
    const [, x = '', width = ''] = /<rect x="([\d.]+)"[^>]* width="(\d+)"/.exec(svg) ?? [];
    expect(Number(x) + Number(width)).toBeGreaterThan(900);
  });

  test('uses Japanese forms of Chinese characters beside kana', async () => {
    const forms = async (texts: string[]) => outlines((await lettersOf(texts)).set('直', 10, 100).draw(0, 0))[0];
    expect(await forms(['直', 'か'])).not.toBe(await forms(['直']));
  });

  test('ends lines between words, and in Thai, Chinese, and Japanese without spaces, but never before a comma', async () => {
    const lines = async (text: string, width: number) => (await lettersOf([text])).set(text, 10, width);
    expect(await lines('one two', 30)).toMatchObject({ lines: 2, isBroken: false });
    expect(await lines('unbreakable', 30)).toMatchObject({ isBroken: true });
    for (const text of ['รถไฟกลางคืนกับเครื่องบิน', '夜行列车还是飞机', '夜行列車に乗りたい'])
      expect([text, await lines(text, 50)]).toMatchObject([text, { isBroken: false }]);
    // Two characters fit; the second goes to the next line with its comma.
    expect((await lines('车车车车', 25)).lines).toBe(2);
    expect((await lines('车车，车', 25)).lines).toBe(3);
  });

  test('has every letter of ten long answers within the page', async () => {
    const answer = 'A rather long answer, as survey institutes like to write them down, with a reason and more. ';
    const bars = Array.from({ length: 10 }, (_, position) => ({
      text: answer.repeat(3).trim(),
      percent: 10,
      position,
    }));
    for (const picture of [
      { ...result, bars },
      { ...open, options: bars.map(({ text }) => text) },
    ]) {
      const svg = await drawer.svg(picture);
      const letters = answer.replace(/\s/g, '').length * 3 * 10;
      expect(outlines(svg).length).toBeGreaterThan(letters);
      const tops = Array.from(svg.matchAll(/<g transform="translate\([\d.]+ ([\d.]+)\)/g), ([, y]) => Number(y));
      expect(Math.max(...tops)).toBeLessThan(610);
    }
  });

  test('leaves symbols out that no font has, and says where letters are missing', async () => {
    const readable = async (text: string) => (await lettersOf([text])).readable(text);
    expect(await readable('Apples 🍎 or oranges 🍊?')).toBe('Apples or oranges?');
    expect(await readable('Tbilisi (თბილ) or Baku')).toBe('Tbilisi (…) or Baku');
    expect(await readable('თბილისი or')).toBeNull();
    expect(await readable('🍎🍊')).toBeNull();
  });

  test('is made of whatever people write', async () => {
    const pieces = [
      'a',
      ' ',
      '?',
      'क्',
      'ष',
      'ᄀ',
      'ᅡ',
      '🍎',
      '🇫🇷',
      '\u0301',
      '\u0489',
      '\u200d',
      '\u202e',
      '\ud83d',
      'א',
      'ِ',
      'თ',
    ];
    for (const first of pieces)
      for (const second of pieces) {
        const text = `xyz${first}🍎${second}`;
        const letters = await lettersOf([text]);
        expect(letters.set(letters.readable(text)!, 10, 30).draw(0, 0)).not.toMatch(/NaN|undefined/);
      }
    const question = pieces.join('');
    expect(await drawer.svg({ ...result, question, category: question })).not.toMatch(/NaN|undefined/);
  });

  test('needs no font of the machine, whatever the letters', async () => {
    const questions = [
      'هل تفضل القطار؟',
      'האם?',
      '夜行列車？',
      '🍎 or 🍊?',
      'Поезд?',
      'მატარებელი',
      'Łódź: naïve façade?',
    ];
    const drawings = await Promise.all(questions.map((question) => drawer.svg({ ...result, question })));
    expect(new Set(drawings).size).toBe(questions.length);
    for (const drawing of drawings) expect(drawing).not.toMatch(/<text|font-family|<image|NaN|undefined/);
  });
});
