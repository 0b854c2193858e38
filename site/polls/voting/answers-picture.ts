import { isolated } from '#domain/visible-text.ts';
import { fileColors as colors } from '#site/ui/charts/palette.ts';
import { svgElement } from '#site/ui/charts/result-svg.ts';
import { escapeSvg, short, wrapText } from '#site/ui/charts/svg.ts';
import { guessTexts } from '#texts/guess.ts';

/** An answer to one poll, and its share in whole percent; null for the first vote. */
export interface PicturedAnswer {
  readonly question: string;
  readonly answer: string;
  readonly percent: number | null;
  /** The share that the visitor guessed, marked on the bar. */
  readonly guess?: number;
}

interface AnswersPicture {
  readonly heading: string;
  readonly answers: readonly PicturedAnswer[];
  /** Where the answers are from. */
  readonly source: string;
}

const size = {
  width: 840,
  margin: 44,
  title: 34,
  question: 16,
  answer: 22,
  line: 1.25,
  bar: 8,
  mark: 4,
  gap: 26,
  shares: 84,
} as const;

/** An anonymous picture of a visitor’s answers, or of a guess, as an SVG file. */
export function answersPicture({ heading, answers, source }: AnswersPicture): string {
  const inner = size.width - 2 * size.margin;
  const column = inner - size.shares;
  let y: number = size.margin;
  const lines = (text: string, font: number, width: number, attributes = '') =>
    wrapText(text, width / font, 3)
      .map((line) => {
        y += font * size.line;
        return `<text x="${size.margin}" y="${short(y)}" font-size="${font}"${attributes}>${escapeSvg(isolated(line))}</text>`;
      })
      .join('');
  const serif = ' font-family="Newsreader,Georgia,serif"';
  const title = lines(heading, size.title, inner, serif);
  const entries = answers.map(({ question, answer, percent, guess }) => {
    y += size.gap;
    const asked = lines(question, size.question, column, ` fill="${colors.muted}"`);
    const given = lines(answer, size.answer, column, ' font-weight="650"');
    if (percent === null) return asked + given;
    const share = `<text x="${size.width - size.margin}" y="${short(y)}" font-size="${size.answer}" font-weight="650" fill="${colors.result(0)}" text-anchor="end">${percent}%</text>`;
    y += 10;
    const bar = (width: number, fill: string) =>
      `<rect x="${size.margin}" y="${short(y)}" width="${short(width)}" height="${size.bar}" fill="${fill}"/>`;
    const bars = bar(inner, colors.sunken) + bar((inner * percent) / 100, colors.result(0));
    y += size.bar;
    if (guess === undefined) return asked + given + share + bars;
    const left = size.margin + (inner * guess) / 100 - size.mark / 2;
    const mark = `<rect x="${short(left)}" y="${short(y - 2 * size.bar)}" width="${size.mark}" height="${3 * size.bar}" fill="${colors.ink}"/>`;
    y += size.bar;
    return asked + given + share + bars + mark + lines(guessTexts.picture.guess(guess), size.question, inner);
  });
  y += size.gap;
  const footer = lines(source, size.question, inner, ` fill="${colors.muted}"`);
  const height = y + size.margin;
  return svgElement(
    {
      ...{ width: size.width, height },
      elements: `<path fill="${colors.paper}" d="M0 0H${size.width}V${short(height)}H0z"/>${title}${entries.join('')}${footer}`,
    },
    heading,
    ` width="${size.width}" height="${short(height)}" font-family="system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif" fill="${colors.ink}"`,
  );
}
