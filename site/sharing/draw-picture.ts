import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import type { Font } from 'satori';
import type { ReactNode } from 'react';
import type { PictureBar, ResultPicture, SocialPicture } from '#domain/social-picture.ts';
import { fileColors } from '#site/ui/charts/palette.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { vaneAngle } from '#site/ui/vane-angle.ts';
import { vaneArrow, vaneDial, vaneMast } from '#site/ui/vane-geometry.ts';
import { embedTexts, sharingTexts } from '#texts/sharing.ts';

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
      return named.kind === 'open'
        ? named
        : {
            ...named,
            leaders: named.leaders.map(clean),
            bars: named.bars.map((bar) => ({ ...bar, text: clean(bar.text) })),
          };
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

const colors = { ...fileColors, rule: fileColors.ink, hair: fileColors.hairline, red: '#ab2f1b' };
const margin = 72;
const footer = { height: 132, below: 40 } as const;
/** The vane’s pivot and pixels per unit of its drawing: its mast ends on the line above the footer. */
const vane = { x: 990, y: pictureSize.height - footer.below - footer.height - 15.8 * 8.8, scale: 8.8 } as const;

/** Beside the bars of a result, on the line above its footer. */
const smallVane = { x: 1008, y: pictureSize.height - footer.below - 36 - 15.8 * 6.6, scale: 6.6 } as const;

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
  /** The text in the footer, and the small one below it. */
  readonly note: string;
  readonly small: string;
  /** Every answer of a result; its picture has them instead of a note. */
  readonly bars: readonly PictureBar[];
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
  const plain = { share: undefined, dial: false, note: texts.vote, small: site.host, bars: [] };
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
    case 'result':
      return {
        ...plain,
        kicker: kickerOf(texts.closedKicker, picture.category),
        headline: readable(picture.question, texts.closedQuestion),
        share: picture.share,
        dial: picture.share !== undefined,
        note: picture.leaders.length === 0 ? noLeaderText(picture) : picture.otherLeader ? texts.otherLeader : '',
        small:
          picture.votes === 0 && picture.received === undefined ? site.host : `${pictureVotes(picture)} · ${site.host}`,
        bars: picture.bars.map((bar, index) => ({ ...bar, text: readable(bar.text, texts.otherAnswer(index + 1)) })),
      };
  }
}

/** The parts of the picture of a result: its question is smaller, to leave room for every answer. */
const result = { question: 1_056, bars: 770, label: 350, share: 110, room: 404, footer: 36 } as const;

/** The headline and the bars of a result, most votes first. */
function resultParts({ headline, bars }: PictureTexts): ReactNode[] {
  const [size, lines] =
    headline.length <= 60 && bars.length <= 7 ? [54, 2] : headline.length <= 115 ? [44, 3] : [36, 4];
  const estimated = Math.min(lines, Math.ceil((headline.length * size * 0.47) / result.question));
  const row = Math.min(64, Math.floor((result.room - estimated * size * 1.12) / bars.length));
  const fontSize = Math.min(32, Math.round(row * 0.62));
  const longest = Math.max(...bars.map(({ percent }) => percent), 1);
  const room = result.bars - result.label - result.share;
  return [
    clamped(withoutOrphan(headline), lines, {
      width: result.question,
      fontSize: size,
      lineHeight: 1.12,
      letterSpacing: -0.008 * size,
    }),
    box(
      { flexDirection: 'column', marginTop: 18, width: result.bars },
      ...bars.map(({ text, percent, position }) =>
        box(
          { alignItems: 'center', height: row, fontSize },
          clamped(text, 1, { width: result.label - 16, marginRight: 16, lineHeight: 1.2 }),
          box({
            width: Math.round((percent / longest) * room),
            height: Math.round(row * 0.56),
            background: colors.result(position),
          }),
          box({ marginLeft: 12 }, formatPercent(percent, 1)),
        ),
      ),
    ),
  ];
}

/** The counted votes, and the votes received if there are more: a picture has no room for reasons. */
export function pictureVotes({ votes, received, independent }: ResultPicture): string {
  const counted =
    received === undefined
      ? embedTexts.votes(formatCount(votes), votes)
      : texts.ofReceived(formatCount(received), formatCount(votes));
  return independent === undefined ? counted : `${counted}, ${texts.independent(formatCount(independent))}`;
}

/** Why no answer leads. */
export function noLeaderText({ received, provisional }: ResultPicture): string {
  if (provisional) return texts.provisional;
  return received === undefined ? texts.nobody : texts.noneCounted;
}

/** The picture for satori, without its vane. */
function pictureTree(labels: PictureTexts, { siteName }: PictureSite): ReactNode {
  const { size, lines } = headlineFit(labels.headline);
  const hasBars = labels.bars.length > 0;
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
    hasBars
      ? box({ flexGrow: 1, flexDirection: 'column', justifyContent: 'center', paddingTop: 14 }, ...resultParts(labels))
      : box(
          { flexGrow: 1, alignItems: 'center', paddingTop: 20, paddingBottom: 20 },
          clamped(withoutOrphan(labels.headline), lines, {
            width: 690,
            fontSize: size,
            lineHeight: 1.12,
            letterSpacing: -0.008 * size,
          }),
        ),
    hasBars
      ? box(
          {
            height: result.footer,
            borderTop: `1px solid ${colors.hair}`,
            paddingTop: 8,
            color: colors.muted,
            fontSize: 25,
          },
          clamped([labels.note, labels.small].join(' ').trim(), 1, { lineHeight: 1.1 }),
        )
      : box(
          {
            alignItems: 'center',
            height: footer.height,
            boxSizing: 'border-box',
            borderTop: `1px solid ${colors.hair}`,
            paddingTop: 20,
          },
          box(
            { flexDirection: 'column', flexGrow: 1, flexShrink: 1 },
            labels.note === '' ? '' : clamped(labels.note, 2, { fontSize: 33, lineHeight: 1.15 }),
            clamped(labels.small, 1, { color: colors.muted, fontSize: 25, lineHeight: 1.3 }),
          ),
        ),
  );
}

/** The vane as SVG, for the space the layout leaves empty. */
function pictureVane({ share, dial, bars }: PictureTexts): string {
  const place = bars.length > 0 ? smallVane : vane;
  const line = `fill="none" stroke="${colors.ink}" stroke-linecap="round"`;
  return [
    `<g transform="translate(${place.x} ${place.y}) scale(${place.scale})">`,
    dial ? `<path d="${vaneDial}" ${line} stroke-width="0.5"/>` : '',
    `<path d="${vaneMast}" ${line} stroke-width="1.6"/>`,
    `<path d="${vaneArrow}" fill="${colors.red}" transform="rotate(${vaneAngle(share)})"/>`,
    '</g>',
  ].join('');
}
