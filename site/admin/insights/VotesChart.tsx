import { BarController, BarElement, CategoryScale, Chart, LinearScale, Tooltip } from 'chart.js';
import { useEffect, useRef } from 'react';
import { formatCount } from '#site/ui/format.ts';
import styles from './Insights.module.css';
import type { Bar } from './insight-figures.ts';

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip);

interface VotesChartProps {
  readonly bars: readonly Bar[];
  /** What the bars say in one sentence; their numbers are in a table. */
  readonly label: string;
}

/** Votes per day or hour, with the number of each at the pointer. */
export default function VotesChart({ bars, label }: VotesChartProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let chart: Chart | undefined;
    const draw = () => {
      chart?.destroy();
      chart = new Chart(canvas.current!, configuration(bars, canvas.current!));
    };
    draw();
    // A canvas doesn’t follow CSS.
    document.addEventListener('themechange', draw);
    return () => {
      document.removeEventListener('themechange', draw);
      chart?.destroy();
    };
  }, [bars]);
  return (
    <div className={styles.chart}>
      <canvas ref={canvas} role="img" aria-label={label} />
    </div>
  );
}

function configuration(bars: readonly Bar[], canvas: HTMLCanvasElement) {
  const style = getComputedStyle(canvas);
  // A token names two colors; as a color it is the one of the theme.
  const color = (token: string) => {
    canvas.style.color = `var(${token})`;
    return style.color;
  };
  const font = { family: style.fontFamily };
  return {
    type: 'bar' as const,
    data: {
      labels: bars.map(({ name }) => name),
      datasets: [{ data: bars.map(({ votes }) => votes), backgroundColor: color('--accent'), maxBarThickness: 48 }],
    },
    options: {
      animation: false as const,
      maintainAspectRatio: false,
      scales: {
        x: { ticks: { color: color('--muted'), font, maxRotation: 0 }, grid: { display: false } },
        y: {
          beginAtZero: true,
          ticks: { color: color('--muted'), font, precision: 0 },
          grid: { color: color('--hairline') },
        },
      },
      plugins: {
        tooltip: { callbacks: { label: ({ parsed }: { parsed: { y: number | null } }) => formatCount(parsed.y ?? 0) } },
      },
    },
  };
}
