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
import type { ChartConfiguration } from 'chart.js';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ChartSlice } from '#domain/poll-results.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { reportTexts } from '#texts/report.ts';
import { chartFill } from './chart-fill.ts';
import styles from './ResultsChart.module.css';

Chart.register(ArcElement, BarController, BarElement, CategoryScale, Legend, LinearScale, PieController, Tooltip);

const texts = reportTexts.chart;
const kinds = ['pie', 'bar'] as const;
type Kind = (typeof kinds)[number];

const calm = '(prefers-reduced-motion: reduce)';
const animationMs = 250;
/** Pixels below which the legend goes under the pie. */
const narrowPx = 520;

/** Counts the changes of the theme: a canvas does not follow CSS by itself. */
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
          // One answer that has everything is a whole disc.
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

/** Pie or bar of a poll's result. A picture of the table before it, which says all of this in words. */
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
    // Movement says what happened: only when somebody chose another chart, never when the page is read.
    if (chosen.current && !matchMedia(calm).matches)
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
            // The chart wakes when it is seen, which for a keyboard is when a button has the focus.
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
