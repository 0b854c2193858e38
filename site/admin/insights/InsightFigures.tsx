import { lazy, Suspense, useId } from 'react';
import type { Insights } from '#api/admin/insights/insights.contract.ts';
import { formatCount, formatDay } from '#site/ui/format.ts';
import { insightTexts as texts } from '#texts/insights.ts';
import adminStyles from '#site/admin/Admin.module.css';
import styles from './Insights.module.css';
import { votesByDay, votesByHour } from './insight-figures.ts';
import type { Bar } from './insight-figures.ts';

const VotesChart = lazy(() => import('./VotesChart.tsx'));

interface InsightFiguresProps {
  readonly insights: Insights;
  /** Of days and hours, such as Europe/Berlin. */
  readonly timeZone: string;
  /** Level of the headings. */
  readonly level: 3 | 4;
  /** What the sums of votes cover, if it is not the same as everything else. */
  readonly covers?: string;
}

/** Sums, charts by day and hour, and lists of hosts, shares, and embeds, each with its numbers as text. */
export function InsightFigures({ insights, timeZone, level, covers }: InsightFiguresProps) {
  const { received, counted, imported, days, hosts, shares, embeds } = insights;
  const byDay = votesByDay(insights, timeZone).map((bar) => ({ ...bar, name: formatDay(bar.name) }));
  return (
    <div className={styles.figures}>
      <dl className={adminStyles.counts}>
        <Sum name={texts.received} value={received} covers={covers} />
        <Sum name={texts.counted} value={counted} covers={covers} />
        {imported > 0 && <Sum name={texts.imported} value={imported} covers={covers} />}
      </dl>
      <Bars title={texts.byDay} unit={texts.day} bars={byDay} level={level} />
      {days.length > 0 ? (
        <p className="muted small">{texts.onlyDays}</p>
      ) : (
        <Bars title={texts.byHour} unit={texts.hour} bars={votesByHour(insights, timeZone)} level={level} />
      )}
      {byDay.length > 0 && days.length === 0 && <p className="muted small">{texts.zone(timeZone)}</p>}
      <Counts title={texts.hosts} note={texts.hostsNote} kind={texts.site} counts={hosts} level={level} />
      <Counts title={texts.shares} note={texts.sharesNote} kind={texts.way} counts={shares} level={level} />
      <Counts title={texts.embeds} note={texts.embedsNote} kind={texts.site} counts={embeds} level={level} />
    </div>
  );
}

function Sum({ name, value, covers }: { readonly name: string; readonly value: number; readonly covers?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="figure">{formatCount(value)}</dd>
      {covers !== undefined && <dd className="muted small">{covers}</dd>}
    </div>
  );
}

/** In rem: a few bars don’t fill the page. */
const widestBar = 7;

interface BarsProps {
  readonly title: string;
  /** Heading of the column of days or hours. */
  readonly unit: string;
  readonly bars: readonly Bar[];
  readonly level: 3 | 4;
}

/** A chart with its title, and its numbers as a table. */
function Bars({ title, unit, bars, level }: BarsProps) {
  const Heading = `h${level}` as const;
  const most = Math.max(0, ...bars.map(({ votes }) => votes));
  return (
    <div className={styles.part}>
      <Heading>{title}</Heading>
      {bars.length === 0 ? (
        <p className="muted">{texts.none}</p>
      ) : (
        <>
          <div style={{ maxInlineSize: `${bars.length * widestBar}rem` }}>
            <Suspense fallback={<div className={styles.chart} />}>
              <VotesChart bars={bars} label={texts.chart(title, most)} />
            </Suspense>
          </div>
          <details>
            <summary>{texts.numbers}</summary>
            <Table name={title} columns={[unit, texts.votes]} rows={bars.map((bar) => [bar.name, bar.votes])} />
          </details>
        </>
      )}
    </div>
  );
}

interface CountsProps {
  readonly title: string;
  readonly note: string;
  /** Heading of the column of labels. */
  readonly kind: string;
  readonly counts: Insights['hosts'];
  readonly level: 3 | 4;
}

function Counts({ title, note, kind, counts, level }: CountsProps) {
  const Heading = `h${level}` as const;
  const rows = counts.map(({ label, count }) => [texts.labels[label] ?? label, count] as const);
  return (
    <div className={styles.part}>
      <Heading>{title}</Heading>
      <p className="muted small">{note}</p>
      {rows.length === 0 ? (
        <p className="muted">{texts.none}</p>
      ) : (
        <Table name={title} columns={[kind, texts.count]} rows={rows} />
      )}
    </div>
  );
}

interface TableProps {
  readonly name: string;
  readonly columns: readonly [string, string];
  readonly rows: readonly (readonly [name: string, count: number])[];
}

function Table({ name, columns, rows }: TableProps) {
  const id = useId();
  return (
    <table className={styles.table} aria-labelledby={id}>
      <caption id={id} className="visually-hidden">
        {name}
      </caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([label, count]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{formatCount(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
