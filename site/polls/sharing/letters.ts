import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import bidiFactory from 'bidi-js';
import { Blob, Buffer, Direction, Face, Font, shape, Variation } from 'harfbuzzjs';
import { LRUCache } from 'lru-cache';
import decompress from 'woff2-encoder/decompress';

/** A package with a font: each file has some of its letters. */
interface Family {
  readonly name: string;
  /** How the names of its files end. */
  readonly style: string;
  /** Height of a line in em. */
  readonly leading: number;
}

const family = (name: string, leading: number, style = 'wght-normal'): Family => ({ name, style, leading });

/** In the order in which a letter is looked for. */
const families = [
  family('@fontsource/newsreader', 1.12, '500-normal'),
  family('@fontsource-variable/noto-serif', 1.16),
  family('@fontsource-variable/noto-naskh-arabic', 1.4),
  family('@fontsource-variable/noto-serif-hebrew', 1.2),
  family('@fontsource-variable/noto-serif-thai', 1.4),
  family('@fontsource-variable/noto-serif-devanagari', 1.35),
];

const chinese = family('@fontsource-variable/noto-serif-sc', 1.25);
const japanese = family('@fontsource-variable/noto-serif-jp', 1.25);
const korean = family('@fontsource-variable/noto-serif-kr', 1.25);

/** The families for some texts: Chinese characters look different in each of the three languages. */
function familiesFor(text: string): readonly Family[] {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return [...families, japanese, chinese, korean];
  if (/\p{Script=Hangul}/u.test(text)) return [...families, korean, japanese, chinese];
  return [...families, chinese, japanese, korean];
}

const require = createRequire(import.meta.url);
const bidi = bidiFactory();
const words = new Intl.Segmenter('en', { granularity: 'word' });
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const graphemesOf = (text: string) => Array.from(graphemes.segment(text), ({ segment }) => segment);

/** Units per em of all fonts here. */
const em = 1_000;

interface FontFile {
  readonly font: Font;
  readonly leading: number;
}

/** The 350 files take 40 MB when they are unpacked, and 3 ms each. */
const unpacked = new LRUCache<string, FontFile>({ max: 40 });

async function unpack({ leading }: Family, path: string): Promise<FontFile> {
  const font = new Font(new Face(new Blob(await decompress(await readFile(require.resolve(path))))));
  font.setScale(em, em);
  font.setVariations([new Variation('wght', 500)]);
  return { font, leading };
}

type Range = readonly [first: number, last: number, path: string];
const rangesOfFamilies = new Map<Family, readonly Range[]>();

/** The code points for which a family has a file. */
function rangesOf(family: Family): readonly Range[] {
  const known = rangesOfFamilies.get(family);
  if (known) return known;
  const files = require(`${family.name}/unicode.json`) as Record<string, string>;
  const ranges = Object.entries(files).flatMap(([subset, list]) => {
    const file = `${family.name.split('/')[1]}-${subset.replace(/[[\]]/g, '')}-${family.style}.woff2`;
    return list.split(',').map((range): Range => {
      const [first = '', last = first] = range.replace('U+', '').split('-');
      return [parseInt(first, 16), parseInt(last, 16), `${family.name}/files/${file}`];
    });
  });
  rangesOfFamilies.set(family, ranges);
  return ranges;
}

/** The first font that has all of a grapheme. `loaded` has those of the same picture, however many they are. */
async function fontOf(
  grapheme: string,
  among: readonly Family[],
  loaded: Map<string, FontFile>,
): Promise<FontFile | undefined> {
  const start = grapheme.codePointAt(0)!;
  for (const family of among)
    for (const [first, last, path] of rangesOf(family)) {
      if (start < first || start > last) continue;
      const found = loaded.get(path) ?? unpacked.get(path) ?? (await unpack(family, path));
      loaded.set(path, found);
      unpacked.set(path, found);
      if (hasAll(found.font, grapheme)) return found;
    }
  return undefined;
}

/** Whether a font has all of a grapheme; joiners are never drawn. */
function hasAll(font: Font, grapheme: string): boolean {
  return Array.from(grapheme.replace(/\p{Cf}/gu, '')).every((one) => (font.nominalGlyph(one.codePointAt(0)!) ?? 0) > 0);
}

/** Text in lines; lengths in pixels. */
export interface TextBlock {
  readonly size: number;
  /** Of the longest line. */
  readonly width: number;
  readonly height: number;
  readonly lines: number;
  readonly isRightToLeft: boolean;
  /** Whether a word is longer than a line. */
  readonly isBroken: boolean;
  /** The outlines as SVG. The block’s top is at `y`; its lines start at `x`, or end there if they are aligned right. */
  draw(x: number, y: number, align?: 'left' | 'right'): string;
}

/** The fonts for some texts. */
export interface Letters {
  /** The text without symbols that no font has; null if most of its letters are in none. */
  readable(text: string): string | null;
  /** Sets a text that is readable, in lines of at most `width` pixels. */
  set(text: string, size: number, width: number): TextBlock;
}

/** Loads the fonts for the letters of these texts, and no others. */
export async function lettersOf(texts: readonly string[]): Promise<Letters> {
  const all = texts.join('\n');
  const among = familiesFor(all);
  const fonts = new Map<string, FontFile>();
  const loaded = new Map<string, FontFile>();
  for (const grapheme of graphemesOf(all + ellipsis))
    for (const part of [grapheme, baseOf(grapheme)])
      if (part !== '' && !fonts.has(part)) {
        const file = await fontOf(part, among, loaded);
        // Also by character, because other graphemes meet where a symbol is left out.
        if (file) for (const one of [part, ...Array.from(part)]) fonts.set(one, fonts.get(one) ?? file);
      }
  const paragraphs = new Map<string, Paragraph>();
  return {
    readable: (text) => readable(text, fonts),
    set(text, size, width) {
      let paragraph = paragraphs.get(text);
      if (!paragraph) paragraphs.set(text, (paragraph = shapedParagraph(text, fonts)));
      return setBlock(paragraph, size, width);
    },
  };
}

const ellipsis = '…';
const dropped = '\0';
/** A grapheme without its accents. */
const baseOf = (grapheme: string) => grapheme.replace(/[\p{M}\p{Cf}]/gu, '');
const isLetter = (grapheme: string) => /[\p{L}\p{N}]/u.test(grapheme);

function readable(text: string, fonts: ReadonlyMap<string, FontFile>): string | null {
  let balance = 0;
  const drawn = graphemesOf(text).map((grapheme) => {
    const part = [grapheme, baseOf(grapheme)].find((one) => fonts.has(one));
    if (!isLetter(grapheme)) return part ?? dropped;
    balance += part === undefined ? -1 : 1;
    return part ?? ellipsis;
  });
  const clean = drawn
    .join('')
    // “Apples 🍎?” has no space before its question mark.
    .replace(/ ?(?<!\0)\0+(?=\p{P}|$)/gu, '')
    .replace(/[\0\s]+/g, ' ')
    .replace(/…+/g, ellipsis)
    .trim();
  return clean === '' || balance < 0 ? null : clean;
}

/** A text with the width of its parts before it is cut into lines. */
interface Paragraph {
  readonly text: string;
  readonly levels: Uint8Array;
  /** By the place in the text; those of a grapheme are the same. */
  readonly files: readonly FontFile[];
  /** Width of the text before each place, in units of the fonts. */
  readonly before: Float64Array;
  /** The parts that stay in one line if they fit. */
  readonly parts: readonly string[];
  readonly isRightToLeft: boolean;
}

function shapedParagraph(text: string, fonts: ReadonlyMap<string, FontFile>): Paragraph {
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text);
  const files: FontFile[] = [];
  for (const grapheme of graphemesOf(text)) {
    const last = files.at(-1);
    // Spaces and signs between words have the font of the words.
    const isSame = last && !isLetter(grapheme) && hasAll(last.font, grapheme);
    const file = isSame ? last : (fonts.get(grapheme) ?? fonts.get(Array.from(grapheme)[0]!));
    if (!file) throw new RangeError('A text must be readable to be set.');
    files.push(...Array.from({ length: grapheme.length }, () => file));
  }
  const before = new Float64Array(text.length + 1);
  for (const run of runsOf({ levels, files }, 0, text.length))
    for (const { cluster, xAdvance } of shapedRun(text, run)) before[cluster + 1]! += xAdvance;
  for (let place = 1; place < before.length; place += 1) before[place]! += before[place - 1]!;
  return { text, levels, files, before, parts: partsOf(text), isRightToLeft: paragraphs[0]?.level === 1 };
}

/** A part of a line in one font and one direction. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly level: number;
  readonly font: Font;
}

/** The runs of a line from left to right: UAX #9, rule L2. */
function runsOf({ levels, files }: Pick<Paragraph, 'levels' | 'files'>, from: number, to: number): Run[] {
  let runs: Run[] = [];
  for (let place = from; place < to; place += 1) {
    const last = runs.at(-1);
    const { font } = files[place]!;
    const level = levels[place]!;
    if (last?.font === font && last.level === level) runs[runs.length - 1] = { ...last, to: place + 1 };
    else runs.push({ from: place, to: place + 1, level, font });
  }
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1) {
    const ordered: Run[] = [];
    let reversed: Run[] = [];
    for (const run of runs) {
      if (run.level >= level) reversed = [run, ...reversed];
      else {
        ordered.push(...reversed, run);
        reversed = [];
      }
    }
    runs = [...ordered, ...reversed];
  }
  return runs;
}

function shapedRun(text: string, { from, to, level, font }: Run) {
  const buffer = new Buffer();
  buffer.addText(text, from, to - from);
  buffer.guessSegmentProperties();
  buffer.setDirection(level % 2 === 1 ? Direction.RTL : Direction.LTR);
  shape(font, buffer);
  const positions = buffer.getGlyphPositions();
  return buffer.getGlyphInfos().map((info, index) => ({ ...info, ...positions[index]! }));
}

/** Scripts without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\uff00-\uffef]/u;

/** Whether a line may end between two parts of a text. */
function mayBreak(before: string, after: string): boolean {
  if (before.endsWith(' ')) return true;
  if (/[-–—/]$/.test(before)) return /^[\p{L}\p{N}]/u.test(after);
  if (/[\p{Ps}\p{Pi}]$/u.test(before) || /^[\p{Pe}\p{Pf}\p{Po}\p{M}\sー々…]/u.test(after)) return false;
  return unspaced.test(before.at(-1)!) || unspaced.test(after.charAt(0));
}

function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (const { segment } of words.segment(text)) {
    const last = parts.at(-1);
    if (last === undefined || mayBreak(last, segment)) parts.push(segment);
    else parts[parts.length - 1] = last + segment;
  }
  return parts;
}

function setBlock(paragraph: Paragraph, size: number, width: number): TextBlock {
  const { before, files, parts, isRightToLeft } = paragraph;
  const widthOf = (from: number, to: number) => ((before[to]! - before[from]!) * size) / em;
  const lines: { readonly from: number; readonly to: number }[] = [];
  let place = 0;
  const add = (part: string) => {
    const to = place + part.trimEnd().length;
    const last = lines.at(-1);
    if (last && widthOf(last.from, to) <= width) lines[lines.length - 1] = { ...last, to };
    else lines.push({ from: place, to });
    place += part.length;
  };
  let isBroken = false;
  for (const part of parts) {
    const fits = widthOf(place, place + part.trimEnd().length) <= width;
    if (!fits) isBroken = true;
    for (const piece of fits ? [part] : graphemesOf(part)) add(piece);
  }
  const lineHeight = size * Math.max(...files.map(({ leading }) => leading));
  return {
    size,
    width: Math.max(...lines.map(({ from, to }) => widthOf(from, to))),
    height: lines.length * lineHeight,
    lines: lines.length,
    isRightToLeft,
    isBroken,
    draw(x, y, align = 'left') {
      const scale = size / em;
      return lines
        .map(({ from, to }, index) => {
          const { glyphs, advance } = outlinesOf(paragraph, from, to);
          const left = align === 'left' ? x : x - advance * scale;
          // A capital letter is two thirds of an em high.
          const baseline = y + (index + 0.5) * lineHeight + 0.33 * size;
          return `<g transform="translate(${round(left)} ${round(baseline)}) scale(${scale} ${-scale})">${glyphs}</g>`;
        })
        .join('');
    },
  };
}

/** The outlines of a line in units of its fonts, and its length. */
function outlinesOf(paragraph: Paragraph, from: number, to: number): { glyphs: string; advance: number } {
  let advance = 0;
  let glyphs = '';
  for (const run of runsOf(paragraph, from, to))
    for (const { codepoint, xAdvance, xOffset, yOffset } of shapedRun(paragraph.text, run)) {
      const outline = run.font.glyphToPath(codepoint).replace(/-?\d+\.\d+/g, (one) => `${Math.round(Number(one))}`);
      const at = `${Math.round(advance + xOffset)} ${Math.round(yOffset)}`;
      if (outline !== '') glyphs += `<path transform="translate(${at})" d="${outline}"/>`;
      advance += xAdvance;
    }
  return { glyphs, advance };
}

const round = (value: number) => Math.round(value * 100) / 100;
