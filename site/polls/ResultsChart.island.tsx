import type { ChartConfiguration } from 'chart.js';
import {
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  Legend,
  LinearScale,
  PieController,
  Tooltip,
} from 'chart.js';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ChartSlice } from '#domain/poll-results.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { chartTexts as texts } from '#texts/report.ts';
import styles from './ResultsChart.module.css';

Chart.register(ArcElement, BarController, BarElement, CategoryScale, Legend, LinearScale, PieController, Tooltip);

const kinds = ['pie', 'bar'] as const;
type Kind = (typeof kinds)[number];

const reducedMotion = '(prefers-reduced-motion: reduce)';
const animationMs = 250;
/** Pixels below which the legend moves under the pie. */
const narrowPx = 520;

/** Counts theme changes, because a canvas doesn’t follow CSS. */
let themeChanges = 0;
function subscribeToTheme(changed: () => void): () => void {
  const handle = () => {
    themeChanges++;
    changed();
  };
  document.addEventListener('themechange', handle);
  return () => document.removeEventListener('themechange', handle);
}

function configuration(kind: Kind, slices: readonly ChartSlice[], canvas: HTMLCanvasElement): ChartConfiguration<Kind> {
  const tokens = getComputedStyle(canvas);
  const token = (name: string) => tokens.getPropertyValue(name).trim();
  const ink = token('--ink');
  const font = { family: token('--sans'), size: 14 };
  return {
    type: kind,
    data: {
      labels: slices.map(({ name }) => name),
      datasets: [
        {
          data: slices.map(({ value }) => value),
          backgroundColor: slices.map(({ position }) => chartFill(position, token)),
          borderColor: token('--paper'),
          // A single answer with all votes is a full disc.
          borderWidth: kind === 'pie' && slices.filter(({ value }) => value > 0).length > 1 ? 2 : 0,
          ...(kind === 'bar' && { maxBarThickness: 40 }),
        },
      ],
    },
    options: {
      maintainAspectRatio: false,
      animation: false,
      ...(kind === 'bar' && {
        indexAxis: 'y' as const,
        scales: {
          x: {
            beginAtZero: true,
            ticks: { color: ink, font, precision: 0, maxTicksLimit: 6 },
            grid: { color: token('--muted'), lineWidth: 0.25 },
          },
          y: { ticks: { color: ink, font, autoSkip: false }, grid: { display: false } },
        },
      }),
      plugins: {
        legend: {
          display: kind === 'pie',
          position: (canvas.parentElement?.clientWidth ?? 0) > narrowPx ? 'right' : 'bottom',
          labels: { color: ink, font, boxWidth: 22, boxHeight: 14, padding: 12 },
        },
        tooltip: {
          callbacks: {
            label: ({ dataIndex }) => {
              const slice = slices[dataIndex];
              return slice ? texts.value(formatCount(slice.value), formatPercent(slice.percentage, 1)) : '';
            },
          },
        },
      },
    },
  };
}

interface ResultsChartProps {
  readonly slices: readonly ChartSlice[];
}

/** Pie or bar chart of a poll’s result, which the table before it states in words. */
export default function ResultsChart({ slices }: ResultsChartProps) {
  const [kind, setKind] = useState<Kind>('pie');
  const canvas = useRef<HTMLCanvasElement>(null);
  const chosen = useRef(false);
  const hydrated = useHydrated();
  const theme = useSyncExternalStore(
    subscribeToTheme,
    () => themeChanges,
    () => 0,
  );

  useEffect(() => {
    const target = canvas.current;
    if (!target) return;
    const config = configuration(kind, slices, target);
    // Animate only when the reader switches charts, not when the page loads.
    if (chosen.current && !matchMedia(reducedMotion).matches)
      config.options = { ...config.options, animation: { duration: animationMs } };
    chosen.current = false;
    const chart = new Chart(target, config);
    return () => chart.destroy();
  }, [kind, slices, theme]);

  const handleChoose = (next: Kind) => {
    chosen.current = true;
    setKind(next);
  };

  const parts = slices.map(({ name, percentage }) => texts.part(name, formatPercent(percentage, 1))).join(', ');
  const size = slices.length > 8 ? styles.tall : slices.length > 4 ? styles.medium : '';
  return (
    <figure className={`${styles.chart} js-only no-print`}>
      <div role="group" aria-label={texts.choose} className={styles.toggle}>
        {kinds.map((name) => (
          <button
            key={name}
            type="button"
            className="button button--small"
            aria-pressed={kind === name}
            // Hydrates when visible, which for keyboards is when a button has the focus.
            aria-disabled={!hydrated}
            onClick={() => handleChoose(name)}
          >
            {texts[name]}
          </button>
        ))}
      </div>
      <div className={`${styles.canvas} ${size}`}>
        <canvas ref={canvas} role="img" aria-label={texts.description(texts[kind], parts)} />
      </div>
    </figure>
  );
}

type Context = CanvasRenderingContext2D;

const tile = 10;

/** Drawn over a slice’s color, so neighbors also differ without color. The first is plain. */
const patterns: readonly ((context: Context) => void)[] = [
  () => undefined,
  // Diagonal lines; the corners join the tiles.
  (context) => {
    context.moveTo(0, tile);
    context.lineTo(tile, 0);
    context.moveTo(-2, 2);
    context.lineTo(2, -2);
    context.moveTo(tile - 2, tile + 2);
    context.lineTo(tile + 2, tile - 2);
  },
  // Dots.
  (context) => {
    context.moveTo(tile / 2 + 1.5, tile / 2);
    context.arc(tile / 2, tile / 2, 1.5, 0, 2 * Math.PI);
  },
  // Horizontal lines.
  (context) => {
    context.moveTo(0, tile / 2);
    context.lineTo(tile, tile / 2);
  },
  // Squares.
  (context) => {
    context.rect(0.5, 0.5, tile, tile);
  },
  // Vertical lines.
  (context) => {
    context.moveTo(tile / 2, 0);
    context.lineTo(tile / 2, tile);
  },
];

/** The fill of a slice: the result color of its position (purple from the fourth on) with a pattern. */
function chartFill(position: number, token: (name: string) => string): string | CanvasPattern {
  const color = token(`--result-${Math.min(position + 1, 4)}`);
  const draw = patterns[position % patterns.length];
  const canvas = document.createElement('canvas');
  canvas.width = tile;
  canvas.height = tile;
  const context = canvas.getContext('2d');
  if (!context || !draw) return color;
  context.fillStyle = color;
  context.fillRect(0, 0, tile, tile);
  context.strokeStyle = token('--paper');
  context.globalAlpha = 0.55;
  context.lineWidth = 1.5;
  context.beginPath();
  draw(context);
  context.stroke();
  return context.createPattern(canvas, 'repeat') ?? color;
}
