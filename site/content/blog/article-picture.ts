import type { BlogPost } from '#api/content/blog/blog.contract.ts';
import { chartSketch } from '#domain/chart-sketch.ts';
import type { ChartSketch } from '#domain/chart-sketch.ts';
import { pageColors } from '#site/ui/charts/palette.ts';
import { short } from '#site/ui/charts/svg.ts';

const size = { width: 320, height: 112, inset: 8 } as const;
/** The most rows that stay distinguishable. */
const maxRows = 10;

/** A small drawing of an article’s first chart, without texts; for an article without charts, a ballot drawn from its title. */
export function articlePicture({ title, content }: Pick<BlogPost, 'title' | 'content'>): string {
  const sketch = chartSketch(content);
  const drawn = sketch === null ? ballot(title) : sketch.type === 'line' ? lines(sketch) : rows(sketch);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" preserveAspectRatio="xMinYMid" aria-hidden="true">${drawn}</svg>`;
}

const across = (percent: number) => short(size.inset + (percent / 100) * (size.width - 2 * size.inset));
const down = (percent: number) => short(size.inset + (percent / 100) * (size.height - 2 * size.inset));

/** Bars or dots, the largest in color. */
function rows({ type, positions }: ChartSketch & { readonly type: 'bars' | 'dots' }): string {
  const shown = positions.slice(0, maxRows);
  const slot = size.height / shown.length;
  const thickness = Math.min(14, slot * 0.6);
  const most = Math.max(...shown);
  const bar = (width: number, middle: number, color: string) =>
    `<path d="M0 ${short(middle - thickness / 2)}h${short(width)}v${short(thickness)}H0z" fill="${color}"/>`;
  return shown
    .map((position, index) => {
      const middle = (index + 0.5) * slot;
      const color = position === most ? pageColors.result(0) : pageColors.muted;
      return type === 'dots'
        ? `<path d="M0 ${short(middle)}H${size.width}" stroke="${pageColors.hairline}"/><circle cx="${across(position)}" cy="${short(middle)}" r="${short(thickness / 2)}" fill="${color}"/>`
        : bar(size.width, middle, pageColors.sunken) + bar((position / 100) * size.width, middle, color);
    })
    .join('');
}

function lines(sketch: ChartSketch & { readonly type: 'line' }): string {
  const drawn = sketch.lines.map((segments, index) => {
    const path = segments.map(([x1, y1, x2, y2]) => `M${across(x1)} ${down(y1)}L${across(x2)} ${down(y2)}`).join('');
    return `<path d="${path}" stroke="${pageColors.result(index)}"/>`;
  });
  const base = `<path d="M0 ${size.height - 1}H${size.width}" stroke="${pageColors.hairline}"/>`;
  return `${base}<g fill="none" stroke-width="3" stroke-linecap="round">${drawn.join('')}</g>`;
}

/** Answers to choose from, as long as the first words of the title; the longest is chosen. */
function ballot(title: string): string {
  const words = title.split(/\s+/).slice(0, 3);
  const longest = Math.max(...words.map(({ length }) => length));
  const slot = size.height / words.length;
  return words
    .map((word, index) => {
      const middle = short((index + 0.5) * slot);
      const isChosen = word.length === longest;
      const dot = isChosen ? `<circle cx="16" cy="${middle}" r="5" fill="${pageColors.result(0)}"/>` : '';
      const width = short((word.length / longest) * (size.width - 56));
      return `<circle cx="16" cy="${middle}" r="10" fill="none" stroke="${pageColors.muted}" stroke-width="2"/>${dot}<path d="M40 ${middle}h${width}" stroke="${isChosen ? pageColors.result(0) : pageColors.hairline}" stroke-width="10"/>`;
    })
    .join('');
}
