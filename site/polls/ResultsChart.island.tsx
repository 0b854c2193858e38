import {
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  LinearScale,
  PieController,
  Tooltip,
} from 'chart.js';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import type { ChartSlice } from '#domain/poll-results.ts';
import { keepTranslated } from '#site/client/keep-translated.ts';
import { saveFile } from '#site/client/save-file.ts';
import { chartKinds } from '#site/ui/charts/kinds.ts';
import type { ChartKind } from '#site/ui/charts/kinds.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { formatPercent } from '#site/ui/format.ts';
import { chartTexts as texts } from '#texts/report.ts';
import { chartConfiguration } from './chart-configuration.ts';
import { pngOf } from './svg-to-png.ts';
import styles from './ResultsChart.module.css';

Chart.register(ArcElement, BarController, BarElement, CategoryScale, LinearScale, PieController, Tooltip);

const reducedMotion = '(prefers-reduced-motion: reduce)';
const animationMs = 250;

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

interface ResultsChartProps {
  readonly slices: readonly ChartSlice[];
  /** Path of the report. */
  readonly path: string;
  /** The pie as SVG, shown until Chart.js has drawn, and in print. */
  readonly children?: ReactNode;
}

/** Pie or bar chart of a poll’s result, which the table before it states in words. */
export default function ResultsChart({ slices, path, children }: ResultsChartProps) {
  const [kind, setKind] = useState<ChartKind>('pie');
  const [failed, setFailed] = useState(false);
  const canvas = useRef<HTMLCanvasElement>(null);
  const chosen = useRef(false);
  const hydrated = useHydrated();
  const theme = useSyncExternalStore(
    subscribeToTheme,
    () => themeChanges,
    () => 0,
  );

  // Before the next paint, so that the place is never empty.
  // The chart can be the only island of a page.
  useEffect(() => keepTranslated(document), []);
  useLayoutEffect(() => {
    const target = canvas.current;
    if (!target) return;
    const config = chartConfiguration(kind, slices, target);
    // Animate only when the reader switches charts, not when the chart replaces the drawing.
    if (chosen.current && !matchMedia(reducedMotion).matches)
      config.options = { ...config.options, animation: { duration: animationMs } };
    chosen.current = false;
    const chart = new Chart(target, config);
    return () => chart.destroy();
  }, [kind, slices, theme]);

  const handleChoose = (next: ChartKind) => {
    chosen.current = true;
    setKind(next);
  };

  const file = kind === 'pie' ? `${path}.svg` : `${path}.svg?chart=${kind}`;
  const handlePng = () => {
    setFailed(false);
    pngOf(file).then(
      (png) => saveFile(`${path.slice(path.lastIndexOf('/') + 1)}-${kind}.png`, png),
      () => setFailed(true),
    );
  };

  const parts = slices.map(({ text, percentage }) => texts.part(text, formatPercent(percentage, 1))).join(', ');
  return (
    <div className={styles.chart}>
      <div role="group" aria-label={texts.choose} className={`${styles.toggle} js-only no-print`} data-touch>
        {chartKinds.map((name) => (
          <button
            key={name}
            type="button"
            className="button button--small"
            aria-pressed={kind === name}
            onClick={() => handleChoose(name)}
          >
            {texts[name]}
          </button>
        ))}
      </div>
      <div className={styles.drawing} data-touch="hover">
        <div className={hydrated ? styles.replaced : undefined}>{children}</div>
        {hydrated && (
          <canvas
            ref={canvas}
            className="no-print"
            role="img"
            aria-label={`${texts.description(texts[kind], parts)} ${texts.tableAbove}`}
          />
        )}
      </div>
      <p className={`${styles.files} no-print`}>
        <span>{texts.download}</span>
        <a className="button button--small" href={file} download>
          {texts.svg}
        </a>
        <span className="js-only" data-touch>
          <button type="button" className="button button--small" onClick={handlePng}>
            {texts.png}
          </button>
        </span>
        <span role="status">{failed ? texts.pngFailed : ''}</span>
      </p>
    </div>
  );
}
