import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import type { Font } from 'satori';
import type { ReactNode } from 'react';
import type { SocialPicture } from '#domain/social-picture.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { vaneAngle, vaneArrow, vaneDial, vaneMast } from '#site/ui/vane-geometry.ts';
import { sharingTexts } from '#texts/sharing.ts';

/** Draws pictures as SVG whose letters are outlines, so that no machine needs the face. */
export interface PictureDrawer {
  svg(picture: SocialPicture): Promise<string>;
}

/** Loads the face and the layout engine, a third of a second and 20 MB: only where something is drawn. */
export async function pictureDrawer(site: PictureSite): Promise<PictureDrawer> {
  const require = createRequire(import.meta.url);
  const [{ default: satori }, ...files] = await Promise.all([
    import('satori'),
    ...pictureFaces.map((part) =>
      readFile(require.resolve(`@fontsource/newsreader/files/newsreader-${part}-500-normal.woff`)),
    ),
  ]);
  const fonts = files.map((data, place): Font => ({
    name: pictureFaces[place]!,
    data,
    weight: 500,
    style: 'normal',
  }));

  return {
    async svg(picture) {
      const clean = cleaned(picture);
      // The engine asks for letters that the face lacks: the words that they stand in are replaced, never drawn as boxes.
      const missing = new Set<string>();
      const draw = async () => {
        const words = pictureWords(clean, site, (text) => [...missing].some((letter) => text.includes(letter)));
        const svg = await satori(pictureTree(words, site), {
          ...pictureSize,
          fonts,
          loadAdditionalAsset: (_language, letters) => {
            for (const letter of letters) missing.add(letter);
            return Promise.resolve([]);
          },
        });
        return svg.replace(/<\/svg>$/, `${pictureVane(words)}</svg>`);
      };
      const first = await draw();
      return missing.size === 0 ? first : draw();
    },
  };
}

/** Without what a layout engine trips over: controls, marks of direction, joiners, line ends. */
function cleaned(picture: SocialPicture): SocialPicture {
  const clean = (text: string) =>
    text
      .normalize('NFC')
      .replace(/[\p{Cf}\p{Cc}\s]+/gu, ' ')
      .trim();
  switch (picture.kind) {
    case 'site':
      return picture;
    case 'article':
      return { ...picture, title: clean(picture.title) };
    default: {
      const category = picture.category === null ? null : clean(picture.category);
      const named = { ...picture, question: clean(picture.question), category };
      return named.kind === 'open' ? named : { ...named, leaders: named.leaders.map(clean) };
    }
  }
}

/** Pixels of every picture: what networks show large without cutting. */
export const pictureSize = { width: 1200, height: 630 } as const;

/** The headline's face in the parts that its makers deliver it in, one after the other until a letter is found. */
export const pictureFaces = ['latin', 'latin-ext', 'vietnamese'] as const;

/** What every picture says of the site. */
export interface PictureSite {
  readonly siteName: string;
  /** Host of the public address, such as polls.example.org. */
  readonly host: string;
}

// The light theme of styles/tokens.css: a picture is printed once and has no theme.
const colours = {
  paper: '#f8f4eb',
  ink: '#1c1a16',
  muted: '#625c51',
  rule: '#1c1a16',
  hair: '#dcd4c3',
  red: '#ab2f1b',
};
const margin = 72;
const foot = { height: 132, below: 40 } as const;
/** Where the vane turns, and pixels to one unit of its drawing: it stands on the line above the foot. */
const vane = { x: 990, y: pictureSize.height - foot.below - foot.height - 15.8 * 8.8, scale: 8.8 } as const;

type Style = Readonly<Record<string, string | number>>;

/** An element as satori takes them, without React. */
function box(style: Style, ...children: (ReactNode | string)[]): ReactNode {
  return { type: 'div', key: null, props: { style: { display: 'flex', ...style }, children } };
}

/** A text of at most `lines` lines; what does not fit ends in an ellipsis. */
function clamped(text: string, lines: number, style: Style): ReactNode {
  return box({ display: 'block', lineClamp: lines, wordBreak: 'break-word', ...style }, text);
}

/** Binds the last two words where they are short, so that the last stands in no line of its own. */
const withoutOrphan = (text: string) => text.replace(/(?<=\s\S{1,12}) (?=\S{1,12}$)/u, '\u00a0');

/** Size and lines of a headline: long ones shrink as far as they can still be read on a telephone, then they are cut. */
function headlineFit(text: string): { readonly size: number; readonly lines: number } {
  if (text.length <= 40) return { size: 82, lines: 3 };
  if (text.length <= 75) return { size: 66, lines: 4 };
  if (text.length <= 115) return { size: 55, lines: 5 };
  return text.length <= 175 ? { size: 46, lines: 6 } : { size: 39, lines: 7 };
}

/** The words of a picture and which way its vane points. */
export interface PictureWords {
  readonly kicker: string;
  readonly headline: string;
  readonly share: number | undefined;
  readonly dial: boolean;
  /** The figure at the foot, and what stands beside it. */
  readonly figure: string;
  readonly note: string;
  readonly small: string;
}

const texts = sharingTexts.picture;

/** The words of a picture. `unread` tells of words that the face has no letters for; neutral ones take their place. */
export function pictureWords(
  picture: SocialPicture,
  site: PictureSite,
  unread: (text: string) => boolean,
): PictureWords {
  const readable = (text: string, instead: string) => (text === '' || unread(text) ? instead : text);
  const kickerOf = (kicker: string, category: string | null) =>
    category === null || unread(category) ? kicker : `${kicker} · ${category}`;
  // A vane at rest over a scale would look like a result.
  const plain = { share: undefined, dial: false, figure: '', note: texts.vote, small: site.host };
  switch (picture.kind) {
    case 'site':
      return { ...plain, dial: true, kicker: '', headline: texts.headline };
    case 'article':
      return {
        ...plain,
        kicker: kickerOf(texts.articleKicker, picture.category),
        headline: readable(picture.title, texts.articleTitle),
        note: '',
      };
    case 'open':
      return {
        ...plain,
        kicker: kickerOf(texts.openKicker, picture.category),
        headline: readable(picture.question, texts.openQuestion),
      };
    case 'result': {
      const [first, ...others] = picture.leaders;
      const votes = texts.ofVotes(formatCount(picture.votes), picture.votes);
      return {
        ...plain,
        kicker: kickerOf(texts.closedKicker, picture.category),
        headline: readable(picture.question, texts.closedQuestion),
        share: picture.share,
        dial: picture.share !== undefined,
        figure: first === undefined ? '' : formatPercent(picture.percent, 1),
        note:
          first === undefined
            ? texts.nobody
            : others.length > 0
              ? texts.tie(picture.leaders.length)
              : readable(first, texts.leadingAnswer),
        small: first === undefined ? site.host : `${votes} · ${site.host}`,
      };
    }
  }
}

/** The picture without its vane, as satori lays it out. */
export function pictureTree(words: PictureWords, { siteName }: PictureSite): ReactNode {
  const { size, lines } = headlineFit(words.headline);
  return box(
    {
      ...pictureSize,
      flexDirection: 'column',
      padding: `44px ${margin}px ${foot.below}px`,
      background: colours.paper,
      color: colours.ink,
      fontFamily: pictureFaces.join(', '),
      boxSizing: 'border-box',
      fontWeight: 500,
    },
    box(
      { justifyContent: 'space-between', alignItems: 'baseline', fontSize: 32, paddingBottom: 16 },
      clamped(siteName, 1, { flexShrink: 0, maxWidth: 560 }),
      clamped(words.kicker, 1, { color: colours.red, fontSize: 27, maxWidth: 480 }),
    ),
    box({ height: 6, borderTop: `3px solid ${colours.rule}`, borderBottom: `1px solid ${colours.rule}` }),
    box(
      { flexGrow: 1, alignItems: 'center', paddingTop: 20, paddingBottom: 20 },
      clamped(withoutOrphan(words.headline), lines, {
        width: 690,
        fontSize: size,
        lineHeight: 1.12,
        letterSpacing: -0.008 * size,
      }),
    ),
    box(
      {
        alignItems: 'center',
        height: foot.height,
        boxSizing: 'border-box',
        borderTop: `1px solid ${colours.hair}`,
        paddingTop: 20,
      },
      words.figure === ''
        ? ''
        : box({ flexShrink: 0, marginRight: 28, color: colours.red, fontSize: 88, lineHeight: 1 }, words.figure),
      box(
        { flexDirection: 'column', flexGrow: 1, flexShrink: 1 },
        words.note === '' ? '' : clamped(words.note, 2, { fontSize: 33, lineHeight: 1.15 }),
        clamped(words.small, 1, { color: colours.muted, fontSize: 25, lineHeight: 1.3 }),
      ),
    ),
  );
}

/** The vane as SVG, for the place that the layout leaves free. */
export function pictureVane({ share, dial }: PictureWords): string {
  const line = `fill="none" stroke="${colours.ink}" stroke-linecap="round"`;
  return [
    `<g transform="translate(${vane.x} ${vane.y}) scale(${vane.scale})">`,
    dial ? `<path d="${vaneDial}" ${line} stroke-width="0.5"/>` : '',
    `<path d="${vaneMast}" ${line} stroke-width="1.6"/>`,
    `<path d="${vaneArrow}" fill="${colours.red}" transform="rotate(${vaneAngle(share)})"/>`,
    '</g>',
  ].join('');
}
