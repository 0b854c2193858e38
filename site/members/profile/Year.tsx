import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { ActivityDays } from '#api/members/profile/profile.contract.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { Failed, Stale } from '#site/client/MemberPageParts.tsx';
import { formatCount, formatDay } from '#site/ui/format.ts';
import { profileTexts } from '#texts/profile.ts';
import styles from './Year.module.css';
import { dotSteps, monthsOf, weeksOf } from './year-grid.ts';
import type { Week } from './year-grid.ts';

const texts = profileTexts.year;

/** The member's activity in the past year; placeholders until the member is known. */
export function Year({ known }: { readonly known: boolean }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.year}>
      <div className="section-head">
        <h2 id={id}>{texts.heading}</h2>
      </div>
      {known ? <OwnYear /> : <YearPlaceholder />}
    </section>
  );
}

function OwnYear() {
  const { data, isError, isFetching } = useActivityDays();
  if (data === undefined)
    return isError ? <Failed title={texts.failedTitle} pending={isFetching} level={3} /> : <YearPlaceholder />;
  return (
    <>
      <YearFigure year={data} />
      {isError && <Stale pending={isFetching} />}
    </>
  );
}

const YearPlaceholder = () => <div className={`skeleton ${styles.placeholder}`} aria-hidden="true" />;

function useActivityDays() {
  return useQuery(
    { queryKey: queryKeys.activityDays, queryFn: ({ signal }) => callApi('activityDays', { signal }) },
    queryClient(),
  );
}

/** Weeks per row on small screens; the year takes two rows. */
const weeksInHalf = 27;
/** Sizes in SVG units: a column of days, and the bars below. */
const column = 10;
const calendarHeight = 7 * column;
const barsTop = calendarHeight + 6;
const barsHeight = 34;
/** Weeks that a month's name needs; the last name of a row may run over. */
const weeksForName = { inside: 3, last: 2 } as const;
/** Radius of a day's dot by level. */
const radii = [0.8, 2, 2.9, 3.8, 4.7] as const;

const total = (count: number) => texts.total(formatCount(count), count);

/** A chart of the year: a dot per day, a bar per week, and a table with the same data. */
function YearFigure({ year }: { readonly year: ActivityDays }) {
  const id = useId();
  const weeks = weeksOf(year.days, year.from, year.to);
  const most = Math.max(...weeks.map(({ count }) => count));
  const [half, otherHalf] = [weeks.slice(0, weeksInHalf), weeks.slice(weeksInHalf)];
  const splitMonth = monthsOf(half).at(-1);
  return (
    <figure className={styles.figure} aria-labelledby={`${id}-summary`}>
      <figcaption className={styles.caption}>
        <span id={`${id}-summary`} className={styles.summary}>
          {summary(year, weeks, most)}
        </span>{' '}
        <span>{texts.reading}</span>
      </figcaption>
      <div className={styles.halves} role="img" aria-label={texts.picture}>
        <Half weeks={half} most={most} today={year.to} />
        <Half
          weeks={otherHalf}
          most={most}
          today={year.to}
          namedBefore={splitMonth && splitMonth.weeks >= weeksForName.last ? splitMonth.month : null}
        />
      </div>
      <Scale />
      <YearTable weeks={weeks} />
    </figure>
  );
}

const inDays = (count: number) => texts.days(formatCount(count), count);

function summary({ total: all, activeDays, streak }: ActivityDays, weeks: readonly Week[], most: number): string {
  const busiest = weeks.filter(({ count }) => count === most);
  const last = busiest.at(-1);
  if (most === 0 || last === undefined) return texts.none;
  const begins = formatDay(last.begins);
  return [
    texts.summary(total(all), inDays(activeDays)),
    busiest.length === 1 ? texts.busiest(begins, total(most)) : texts.busiestOf(busiest.length, begins, total(most)),
    texts.streak(inDays(streak.current), inDays(streak.longest)),
  ].join(' ');
}

const monthNames = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });

interface HalfProps {
  readonly weeks: readonly Week[];
  /** Activities in the busiest week of the year. */
  readonly most: number;
  readonly today: string;
  /** The month that the previous half has already named, when both are in one row. */
  readonly namedBefore?: string | null;
}

function Half({ weeks, most, today, namedBefore = null }: HalfProps) {
  return (
    <div className={styles.half}>
      <div className={styles.months} aria-hidden="true">
        {monthsOf(weeks).map((month, index, { length }) => (
          <span
            key={month.month}
            className={`${styles[`columns${month.weeks}`]} ${month.month === namedBefore ? styles.named : ''}`.trim()}
          >
            {month.weeks >= (index === length - 1 ? weeksForName.last : weeksForName.inside) &&
              monthNames.format(new Date(month.month))}
          </span>
        ))}
      </div>
      <svg viewBox={`0 0 ${weeksInHalf * column} ${barsTop + barsHeight}`} aria-hidden="true">
        {weeks.map((week, index) => (
          <g key={week.begins} transform={`translate(${index * column} 0)`}>
            {week.days.map(
              (day, row) =>
                day && (
                  <circle
                    key={day.day}
                    className={`${styles.dot} ${day.level === 0 ? styles.idle : ''} ${day.day === today ? styles.today : ''}`}
                    cx={column / 2}
                    cy={(row + 0.5) * column}
                    r={radii[day.level]}
                    data-tooltip={texts.day(formatDay(day.day), total(day.count))}
                  />
                ),
            )}
            <rect
              className={`${styles.bar} ${week.count === most && most > 0 ? styles.busiest : ''}`}
              x="2"
              width={column - 4}
              {...barOf(week.count, most)}
              data-tooltip={texts.week(formatDay(week.begins), total(week.count))}
            />
          </g>
        ))}
        <path className={styles.ground} d={`M0 ${barsTop + barsHeight}H${weeks.length * column}`} />
      </svg>
    </div>
  );
}

/** Position and height of a bar; any activity gets a visible bar. */
function barOf(count: number, most: number): { readonly y: number; readonly height: number } {
  const height = count === 0 ? 0 : Math.max(1, (count / most) * barsHeight);
  return { y: barsTop + barsHeight - height, height };
}

/** The legend of the dot sizes. */
function Scale() {
  return (
    <dl className={styles.scale} aria-label={texts.scale}>
      <dt>{texts.scale}</dt>
      {[0, ...dotSteps].map((from, level, steps) => (
        <dd key={from}>
          <svg viewBox="0 0 10 10" width="18" height="18" aria-hidden="true">
            <circle className={`${styles.dot} ${level === 0 ? styles.idle : ''}`} cx="5" cy="5" r={radii[level]} />
          </svg>
          {rangeOf(from, steps[level + 1])}
        </dd>
      ))}
    </dl>
  );
}

function rangeOf(from: number, next: number | undefined): string {
  if (next === undefined) return `${from}+`;
  return next - from === 1 ? String(from) : `${from}–${next - 1}`;
}

/** The data of the chart: a row per week, newest first, and a column per day. */
function YearTable({ weeks }: { readonly weeks: readonly Week[] }) {
  return (
    <details className={styles.details}>
      <summary>{texts.table}</summary>
      {/* The region scrolls, so it must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.scroll} role="region" aria-label={texts.caption} tabIndex={0}>
        <table className={styles.table}>
          <caption className="visually-hidden">{texts.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.weekColumn}</th>
              {texts.weekdays.map(([short, long]) => (
                <th key={short} scope="col">
                  <abbr title={long}>{short}</abbr>
                </th>
              ))}
              <th scope="col">{texts.totalColumn}</th>
            </tr>
          </thead>
          <tbody>
            {[...weeks].reverse().map((week) => (
              <tr key={week.begins}>
                <th scope="row">{formatDay(week.begins)}</th>
                {week.days.map((day, row) => (
                  <td key={texts.weekdays[row]![0]} className={day?.count ? styles.active : undefined}>
                    {day === null ? texts.outside : formatCount(day.count)}
                  </td>
                ))}
                <td className={styles.total}>{formatCount(week.count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
