import type { SocialPicture } from '#domain/social-picture.ts';
import { fileColors } from '#site/ui/charts/palette.ts';
import { formatPercent } from '#site/ui/format.ts';
import { vaneAngle, vaneArrow, vaneDial, vaneMast } from '#site/ui/vane-geometry.ts';
import { lettersOf } from './letters.ts';
import type { Letters, TextBlock } from './letters.ts';
import { pictureTexts } from './picture-texts.ts';
import type { PictureRow, PictureSite, PictureTexts } from './picture-texts.ts';

/** Draws pictures as SVG with letters as outlines, so no machine needs the fonts. */
export interface PictureDrawer {
  svg(picture: SocialPicture): Promise<string>;
}

/** Each picture loads the fonts that its letters need. */
export function pictureDrawer(site: PictureSite): PictureDrawer {
  return {
    async svg(picture) {
      const { siteName, kicker, headline, note, small, rows } = pictureTexts(picture, site, cleaned);
      const answers = rows.flatMap(({ text, bar }) => [text, shareText(bar)]);
      const letters = await lettersOf([siteName, kicker, headline, note, small, ...answers]);
      return drawing(
        pictureTexts(picture, site, (text) => letters.readable(cleaned(text))),
        letters,
      );
    },
  };
}

const shareText = (bar: PictureRow['bar']) => (bar === undefined ? '' : formatPercent(bar.percent, 1));

/** Removes characters that break the layout: controls, direction marks, line ends. Joiners stay, because they shape letters. */
function cleaned(text: string): string {
  return text
    .normalize('NFC')
    .replace(/(?![\u200c\u200d])\p{Cf}|[\ufe0f\u20e3]/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** Size in pixels that social networks show large and uncropped. */
const page = { width: 1_200, height: 630, margin: 72 } as const;
const inner = page.width - 2 * page.margin;
const red = '#ab2f1b';
/** Below the line at the top, and the lines above the footers, of pictures without and with answers. */
const edges = { top: 108, note: 458, small: 545 } as const;
/** The pivot of the vane and pixels per unit of its drawing. */
const vane = { x: 990, scale: 8.8 } as const;
/** Beside answers. */
const smallVane = { x: 1_008, scale: 6.6 } as const;
/** Where its dial begins. */
const vaneTop = 335;

function drawing(texts: PictureTexts, letters: Letters): string {
  const body = texts.rows.length > 0 ? answersBody(texts, letters) : headlineBody(texts, letters);
  const siteName = oneLine(letters, texts.siteName, 32, 560);
  const kicker = texts.kicker === '' ? null : oneLine(letters, texts.kicker, 27, 480);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${page.width}" height="${page.height}" fill="${fileColors.ink}">`,
    `<path fill="${fileColors.paper}" d="M0 0h${page.width}v${page.height}H0z"/>`,
    `<path d="M${page.margin} 92h${inner}v3h${-inner}zm0 9h${inner}v1h${-inner}z"/>`,
    siteName.draw(page.margin, 58 - siteName.height / 2),
    kicker && `<g fill="${red}">${kicker.draw(page.width - page.margin, 59 - kicker.height / 2, 'right')}</g>`,
    body,
    '</svg>',
  ].join('');
}

/** Sizes of a text, the largest first. */
const sizes = (most: number, least: number) =>
  Array.from({ length: Math.floor((most - least) / 2) + 1 }, (_, index) => most - 2 * index);

/** The largest of some sizes in which a text fits, otherwise the smallest. */
function fitted(from: readonly number[], set: (size: number) => TextBlock, fits: (block: TextBlock) => boolean) {
  const size = from.find((one) => fits(set(one))) ?? from.at(-1)!;
  return set(size);
}

function oneLine(letters: Letters, text: string, size: number, width: number): TextBlock {
  return fitted(
    sizes(size, 12),
    (one) => letters.set(text, one, width),
    ({ lines }) => lines === 1,
  );
}

/** The same lines, of the same length as far as possible, so that the last one is not a single word. */
function balanced(letters: Letters, text: string, { size, width, lines }: TextBlock): TextBlock {
  let block = letters.set(text, size, width + 1);
  for (let narrower = width; narrower > width / 2; narrower -= 8) {
    const next = letters.set(text, size, narrower);
    if (next.lines > lines || next.isBroken) break;
    block = next;
  }
  return block;
}

/** Draws from the right edge instead of the left one where the headline is read from right to left. */
function sideOf({ isRightToLeft }: TextBlock) {
  return {
    at: (x: number, width = 0) => (isRightToLeft ? page.width - x - width : x),
    align: isRightToLeft ? 'right' : 'left',
  } as const;
}

/** A large headline beside the vane. */
function headlineBody({ headline, note, small, ...texts }: PictureTexts, letters: Letters): string {
  const room = edges.note - edges.top - 40;
  const largest = fitted(
    sizes(82, 20),
    (size) => letters.set(headline, size, 690),
    ({ height, isBroken }) => height <= room && !isBroken,
  );
  const block = balanced(letters, headline, largest);
  const { at, align } = sideOf(block);
  const larger = note === '' ? null : oneLine(letters, note, 33, inner);
  const smaller = oneLine(letters, small, 25, inner);
  const top = edges.note + 38;
  return [
    block.draw(at(page.margin), edges.top + 20 + (room - block.height) / 2, align),
    rule(edges.note),
    larger?.draw(page.margin, top),
    `<g fill="${fileColors.muted}">${smaller.draw(page.margin, top + (larger?.height ?? 0))}</g>`,
    vaneDrawing(texts, at(vane.x), edges.note, vane.scale),
  ].join('');
}

const rule = (y: number) => `<path fill="${fileColors.hairline}" d="M${page.margin} ${y}h${inner}v1h${-inner}z"/>`;

/** Where answers may be drawn: `width` is that of texts and bars, `label` that of texts beside bars. */
const places = [
  { width: 770, label: 350, hasVane: true, least: 22 },
  { width: 770, label: 500, hasVane: true, least: 22 },
  { width: inner, label: 640, hasVane: false, least: 10 },
  { width: inner, label: 860, hasVane: false, least: 10 },
] as const;

/** The largest texts with which a question and all its answers fit, beside the vane if possible. */
function answersLayout({ headline, rows }: PictureTexts, letters: Letters) {
  const room = edges.small - edges.top - 28;
  const hasBars = rows.some(({ bar }) => bar !== undefined);
  const set = (questionSize: number, size: number, place: (typeof places)[number]) => {
    const question = balanced(letters, headline, letters.set(headline, questionSize, inner));
    const labels = rows.map(({ text }) => letters.set(text, size, hasBars ? place.label : place.width - 1.2 * size));
    const heights = labels.map(({ height }) => Math.max(height, 1.2 * size));
    const free = room - question.height - 18 - heights.reduce((sum, height) => sum + height, 0);
    return { question, labels, heights, size, place, gap: Math.min(free / rows.length, 0.8 * size) };
  };
  for (const questionSize of sizes(66, 20)) {
    const { height, isBroken } = letters.set(headline, questionSize, inner);
    if (height > 0.42 * room || isBroken) continue;
    // Answers are at least half as large as the question.
    for (const hasVane of [true, false])
      for (const size of sizes(36, questionSize / 2))
        for (const place of places) {
          if (place.hasVane !== hasVane || size < place.least) continue;
          const layout = set(questionSize, size, place);
          if (layout.gap >= 0.35 * size && !layout.labels.some((label) => label.isBroken)) return layout;
        }
  }
  return set(20, 10, places[3]);
}

/** A question, and its answers below it. */
function answersBody(texts: PictureTexts, letters: Letters): string {
  const { question, labels, heights, size, place, gap } = answersLayout(texts, letters);
  const { at, align } = sideOf(question);
  const height = question.height + 18 + heights.reduce((sum, one) => sum + one + gap, 0);
  const middle = (edges.top + edges.small - height) / 2;
  const top = place.hasVane ? Math.min(middle, vaneTop - question.height) : middle;
  const shares = texts.rows.map(({ bar }) => bar && letters.set(shareText(bar), size, inner));
  const longest = Math.max(...texts.rows.map(({ bar }) => bar?.percent ?? 0));
  const start = page.margin + Math.max(...labels.map(({ width }) => width)) + 20;
  const room = page.margin + place.width - start - 12 - Math.max(...shares.map((share) => share?.width ?? 0));

  let y = top + question.height + 18;
  const rows = texts.rows.map(({ bar, method }, index) => {
    const label = labels[index]!;
    const center = y + (heights[index]! + gap) / 2;
    y += heights[index]! + gap;
    const labelAt = (x: number) => label.draw(at(x), center - label.height / 2, align);
    const share = shares[index];
    if (!bar || !share) {
      const mark = markAt(at(page.margin + 0.4 * size), center, 0.28 * size, method);
      return mark + labelAt(page.margin + 1.2 * size);
    }
    const width = longest === 0 ? 0 : Math.round((bar.percent / longest) * room);
    return [
      labelAt(page.margin),
      `<rect x="${at(start, width)}" y="${center - 0.55 * size}" width="${width}" height="${1.1 * size}" fill="${fileColors.result(bar.position)}"/>`,
      share.draw(at(start + width + 12), center - share.height / 2, align),
    ].join('');
  });
  const { note, small } = texts;
  const both = letters.set(`${note} ${small}`.trim(), 25, inner);
  const footer =
    both.lines === 1 ? [both] : [note, small].filter(Boolean).map((text) => oneLine(letters, text, 22, inner));
  return [
    question.draw(at(page.margin), top, align),
    ...rows,
    rule(edges.small),
    `<g fill="${fileColors.muted}">${footer.map((line, index) => line.draw(page.margin, edges.small + 9 + index * line.height)).join('')}</g>`,
    place.hasVane ? vaneDrawing(texts, at(smallVane.x), edges.small, smallVane.scale) : '',
  ].join('');
}

/** What stands before an answer on the ballot: a circle, a box, or, where answers are ranked, a dash. */
function markAt(x: number, y: number, half: number, method: PictureRow['method']): string {
  const line = `fill="none" stroke="${fileColors.muted}" stroke-width="2"`;
  if (method === 'ranked') return `<path d="M${x - half} ${y}h${2 * half}" ${line}/>`;
  return method === 'several'
    ? `<rect x="${x - half}" y="${y - half}" width="${2 * half}" height="${2 * half}" ${line}/>`
    : `<circle cx="${x}" cy="${y}" r="${half}" ${line}/>`;
}

/** The vane with its foot on the line at `y`. */
function vaneDrawing(
  { share, dial }: Pick<PictureTexts, 'share' | 'dial'>,
  x: number,
  y: number,
  scale: number,
): string {
  const line = `fill="none" stroke="${fileColors.ink}" stroke-linecap="round"`;
  return [
    `<g transform="translate(${x} ${y - 15.8 * scale}) scale(${scale})">`,
    dial ? `<path d="${vaneDial}" ${line} stroke-width="0.5"/>` : '',
    `<path d="${vaneMast}" ${line} stroke-width="1.6"/>`,
    `<path d="${vaneArrow}" fill="${red}" transform="rotate(${vaneAngle(share)})"/>`,
    '</g>',
  ].join('');
}
