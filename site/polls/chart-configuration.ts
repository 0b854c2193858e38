import type { Chart, ChartConfiguration, Plugin } from 'chart.js';
import type { ChartSlice } from '#domain/poll-results.ts';
import { isolated } from '#domain/visible-text.ts';
import type { ChartKind } from '#site/ui/charts/kinds.ts';
import { patterns, resultToken } from '#site/ui/charts/palette.ts';
import { labelWidth, pie, pieLayout, pointAt } from '#site/ui/charts/pie-layout.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { chartTexts as texts } from '#texts/report.ts';

/** How Chart.js draws a result, in the place, order, and colors of the drawing that it replaces. */
export function chartConfiguration(
  kind: ChartKind,
  slices: readonly ChartSlice[],
  canvas: HTMLCanvasElement,
): ChartConfiguration<ChartKind> {
  // With reduced motion, everything has a short transition, at the start of which the color is still the one before.
  canvas.style.transition = 'none';
  const colorOf = (token: string) => {
    canvas.style.color = `var(${token})`;
    return getComputedStyle(canvas).color;
  };
  const scale = canvas.parentElement ? canvas.parentElement.clientWidth / pie.width : 1;
  const [ink, paper] = [colorOf('--ink'), colorOf('--paper')];
  const font = { family: getComputedStyle(canvas).fontFamily, size: pie.font * scale };
  return {
    type: kind,
    data: {
      labels: slices.map(({ name }) => isolated(name)),
      datasets: [
        {
          data: slices.map(({ value }) => value),
          backgroundColor: slices.map(({ position }, index) => fill(index, colorOf(resultToken(position)), paper)),
          borderColor: paper,
          // A single answer with all votes is a full disc.
          borderWidth: kind === 'pie' && slices.filter(({ value }) => value > 0).length > 1 ? 2 : 0,
          ...(kind === 'bar' && { maxBarThickness: 18 * scale }),
        },
      ],
    },
    options: {
      maintainAspectRatio: false,
      animation: false,
      ...(kind === 'pie' && { radius: pie.radius * scale }),
      ...(kind === 'bar' && {
        indexAxis: 'y' as const,
        layout: { padding: { right: 54 * scale } },
        scales: {
          x: { display: false, beginAtZero: true },
          y: { ticks: { color: ink, font, autoSkip: false }, grid: { display: false }, border: { display: false } },
        },
      }),
      plugins: {
        tooltip: {
          callbacks: {
            title: ([item]) => (item ? (slices[item.dataIndex]?.text ?? '') : ''),
            label: ({ dataIndex }) => {
              const slice = slices[dataIndex];
              return slice ? texts.value(formatCount(slice.value), formatPercent(slice.percentage, 1)) : '';
            },
          },
        },
      },
    },
    plugins: [labels(kind, slices, { scale, ink, muted: colorOf('--muted'), family: font.family })],
  };
}

interface LabelStyle {
  /** Pixels per unit of the drawing. */
  readonly scale: number;
  readonly ink: string;
  readonly muted: string;
  readonly family: string;
}

/** Writes names and shares beside the slices of a pie, and shares at the ends of bars. */
function labels(kind: ChartKind, slices: readonly ChartSlice[], style: LabelStyle): Plugin<ChartKind> {
  const { scale, ink, muted, family } = style;
  const fonts = { name: `${pie.font * scale}px ${family}`, share: `650 ${pie.font * scale}px ${family}` };
  const share = (slice: ChartSlice) => formatPercent(slice.percentage, 1);
  return {
    id: 'labels',
    afterDatasetsDraw(chart: Chart<ChartKind>) {
      const { ctx: context } = chart;
      context.save();
      context.fillStyle = ink;
      if (kind === 'bar') {
        context.font = fonts.share;
        context.textBaseline = 'middle';
        chart.getDatasetMeta(0).data.forEach(({ x, y }, index) => {
          const slice = slices[index];
          if (slice) context.fillText(share(slice), x + 6 * scale, y);
        });
      } else {
        context.scale(scale, scale);
        context.strokeStyle = muted;
        const wedges = pieLayout(slices);
        for (const { middle, label } of wedges) {
          const [x, y] = pointAt(middle, pie.radius + 2);
          context.beginPath();
          context.moveTo(x, y);
          context.lineTo(label.x + (label.anchor === 'end' ? 3 : -3), label.y);
          context.stroke();
        }
        context.scale(1 / scale, 1 / scale);
        for (const { slice, label } of wedges) {
          context.textAlign = label.anchor === 'end' ? 'right' : 'left';
          context.font = fonts.name;
          context.fillText(isolated(slice.name), label.x * scale, (label.y - 2) * scale, labelWidth * scale);
          context.font = fonts.share;
          context.fillText(share(slice), label.x * scale, (label.y + pie.line - 2) * scale);
        }
      }
      context.restore();
    },
  };
}

const tile = 10;

/** The fill of a slice: its color with the pattern of its place. */
function fill(index: number, color: string, paper: string): string | CanvasPattern {
  const path = patterns[index % patterns.length];
  const canvas = document.createElement('canvas');
  canvas.width = tile;
  canvas.height = tile;
  const context = canvas.getContext('2d');
  if (!context || path === '') return color;
  context.fillStyle = color;
  context.fillRect(0, 0, tile, tile);
  context.strokeStyle = paper;
  context.globalAlpha = 0.5;
  context.lineWidth = 1.2;
  context.stroke(new Path2D(path));
  return context.createPattern(canvas, 'repeat') ?? color;
}
