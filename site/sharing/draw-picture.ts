import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import type { Font } from 'satori';
import type { ReactNode } from 'react';
import type { ResultPicture, SocialPicture } from '#domain/social-picture.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { vaneAngle, vaneArrow, vaneDial, vaneMast } from '#site/ui/vane-geometry.ts';
import { sharingTexts } from '#texts/sharing.ts';

/** Draws pictures as SVG with letters as outlines, so no machine needs the font. */
export interface PictureDrawer {
  svg(picture: SocialPicture): Promise<string>;
}

/** Loads the font and the layout engine, which take a third of a second and 20 MB, so only where something is drawn. */
export async function pictureDrawer(site: PictureSite): Promise<PictureDrawer> {
  const require = createRequire(import.meta.url);
  const [{ default: satori }, ...files] = await Promise.all([
    import('satori'),
    ...fontSubsets.map((part) =>
      readFile(require.resolve(`@fontsource/newsreader/files/newsreader-${part}-500-normal.woff`)),
    ),
  ]);
  const fonts = files.map((data, index): Font => ({
    name: fontSubsets[index]!,
    data,
    weight: 500,
    style: 'normal',
  }));

  return {
    async svg(picture) {
      const clean = cleaned(picture);
      // The engine requests letters the font lacks: texts containing them are replaced, never drawn as boxes.
      const missing = new Set<string>();
      const draw = async () => {
        const labels = pictureTexts(clean, site, (text) => [...missing].some((letter) => text.includes(letter)));
        const svg = await satori(pictureTree(labels, site), {
          ...pictureSize,
          fonts,
          loadAdditionalAsset: (_language, letters) => {
            for (const letter of letters) missing.add(letter);
            return Promise.resolve([]);
          },
        });
        return svg.replace(/<\/svg>$/, `${pictureVane(labels)}</svg>`);
      };
      const first = await draw();
      return missing.size === 0 ? first : draw();
    },
  };
}

/** Removes characters that break the layout: controls, direction marks, joiners, line ends. */
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

/** Size in pixels that social networks show large and uncropped. */
const pictureSize = { width: 1200, height: 630 } as const;

/** The headline font’s files, tried in order until one has the letter. */
const fontSubsets = ['latin', 'latin-ext', 'vietnamese'] as const;

/** The site’s name and address on every picture. */
export interface PictureSite {
  readonly siteName: string;
  /** Host of the public address, such as polls.example.org. */
  readonly host: string;
}

// The light theme of styles/tokens.css.
const colors = {
  paper: '#f8f4eb',
  ink: '#1c1a16',
  muted: '#625c51',
  rule: '#1c1a16',
  hair: '#dcd4c3',
  red: '#ab2f1b',
};
const margin = 72;
const footer = { height: 132, below: 40 } as const;
/** The vane’s pivot and pixels per unit of its drawing: its mast ends on the line above the footer. */
const vane = { x: 990, y: pictureSize.height - footer.below - footer.height - 15.8 * 8.8, scale: 8.8 } as const;

type Style = Readonly<Record<string, string | number>>;

/** An element for satori, without React. */
function box(style: Style, ...children: (ReactNode | string)[]): ReactNode {
  return { type: 'div', key: null, props: { style: { display: 'flex', ...style }, children } };
}

/** A text of at most `lines` lines, cut with an ellipsis. */
function clamped(text: string, lines: number, style: Style): ReactNode {
  return box({ display: 'block', lineClamp: lines, wordBreak: 'break-word', ...style }, text);
}

/** Joins two short last words, so the last line is never a single word. */
const withoutOrphan = (text: string) => text.replace(/(?<=\s\S{1,12}) (?=\S{1,12}$)/u, '\u00a0');

/** Size and lines of a headline: long ones shrink as far as is legible on a phone, then they are cut. */
function headlineFit(text: string): { readonly size: number; readonly lines: number } {
  if (text.length <= 40) return { size: 82, lines: 3 };
  if (text.length <= 75) return { size: 66, lines: 4 };
  if (text.length <= 115) return { size: 55, lines: 5 };
  return text.length <= 175 ? { size: 46, lines: 6 } : { size: 39, lines: 7 };
}

/** The texts of a picture, and where its vane points. */
interface PictureTexts {
  readonly kicker: string;
  readonly headline: string;
  readonly share: number | undefined;
  readonly dial: boolean;
  /** The figure in the footer and the text beside it. */
  readonly figure: string;
  readonly note: string;
  readonly small: string;
}

const texts = sharingTexts.picture;

/** The texts of a picture. `unsupported` tells which texts the font can’t draw; neutral ones replace them. */
export function pictureTexts(
  picture: SocialPicture,
  site: PictureSite,
  unsupported: (text: string) => boolean,
): PictureTexts {
  const readable = (text: string, instead: string) => (text === '' || unsupported(text) ? instead : text);
  const kickerOf = (kicker: string, category: string | null) =>
    category === null || unsupported(category) ? kicker : `${kicker} · ${category}`;
  // Without a dial: a resting vane over a scale would look like a result.
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
      return {
        ...plain,
        kicker: kickerOf(texts.closedKicker, picture.category),
        headline: readable(picture.question, texts.closedQuestion),
        share: picture.share,
        dial: picture.share !== undefined,
        figure: first === undefined ? '' : formatPercent(picture.percent, 1),
        note:
          first === undefined
            ? noLeaderText(picture)
            : others.length > 0
              ? texts.tie(picture.leaders.length)
              : readable(first, texts.leadingAnswer),
        small:
          first === undefined && picture.received === undefined ? site.host : `${pictureVotes(picture)} · ${site.host}`,
      };
    }
  }
}

/** The counted votes, and the votes received if there are more: a picture has no room for reasons. */
export function pictureVotes({ votes, received }: ResultPicture): string {
  return received === undefined
    ? texts.ofVotes(formatCount(votes), votes)
    : texts.ofReceived(formatCount(received), formatCount(votes));
}

/** Why no answer leads. */
export function noLeaderText({ received, provisional }: ResultPicture): string {
  if (provisional) return texts.provisional;
  return received === undefined ? texts.nobody : texts.noneCounted;
}

/** The picture for satori, without its vane. */
function pictureTree(labels: PictureTexts, { siteName }: PictureSite): ReactNode {
  const { size, lines } = headlineFit(labels.headline);
  return box(
    {
      ...pictureSize,
      flexDirection: 'column',
      padding: `44px ${margin}px ${footer.below}px`,
      background: colors.paper,
      color: colors.ink,
      fontFamily: fontSubsets.join(', '),
      boxSizing: 'border-box',
      fontWeight: 500,
    },
    box(
      { justifyContent: 'space-between', alignItems: 'baseline', fontSize: 32, paddingBottom: 16 },
      clamped(siteName, 1, { flexShrink: 0, maxWidth: 560 }),
      clamped(labels.kicker, 1, { color: colors.red, fontSize: 27, maxWidth: 480 }),
    ),
    box({ height: 6, borderTop: `3px solid ${colors.rule}`, borderBottom: `1px solid ${colors.rule}` }),
    box(
      { flexGrow: 1, alignItems: 'center', paddingTop: 20, paddingBottom: 20 },
      clamped(withoutOrphan(labels.headline), lines, {
        width: 690,
        fontSize: size,
        lineHeight: 1.12,
        letterSpacing: -0.008 * size,
      }),
    ),
    box(
      {
        alignItems: 'center',
        height: footer.height,
        boxSizing: 'border-box',
        borderTop: `1px solid ${colors.hair}`,
        paddingTop: 20,
      },
      labels.figure === ''
        ? ''
        : box({ flexShrink: 0, marginRight: 28, color: colors.red, fontSize: 88, lineHeight: 1 }, labels.figure),
      box(
        { flexDirection: 'column', flexGrow: 1, flexShrink: 1 },
        labels.note === '' ? '' : clamped(labels.note, 2, { fontSize: 33, lineHeight: 1.15 }),
        clamped(labels.small, 1, { color: colors.muted, fontSize: 25, lineHeight: 1.3 }),
      ),
    ),
  );
}

/** The vane as SVG, for the space the layout leaves empty. */
function pictureVane({ share, dial }: PictureTexts): string {
  const line = `fill="none" stroke="${colors.ink}" stroke-linecap="round"`;
  return [
    `<g transform="translate(${vane.x} ${vane.y}) scale(${vane.scale})">`,
    dial ? `<path d="${vaneDial}" ${line} stroke-width="0.5"/>` : '',
    `<path d="${vaneMast}" ${line} stroke-width="1.6"/>`,
    `<path d="${vaneArrow}" fill="${colors.red}" transform="rotate(${vaneAngle(share)})"/>`,
    '</g>',
  ].join('');
}
