import { formatCount, formatDay } from '#site/ui/format.ts';
import { profileTexts } from '#texts/profile.ts';
import type { Week } from './year-grid.ts';
import styles from './YearTable.module.css';

const texts = profileTexts.year;

/** The numbers behind the year's figure: a row for each week, newest first, a column for each day. */
export function YearTable({ weeks }: { readonly weeks: readonly Week[] }) {
  return (
    <details className={styles.details}>
      <summary>{texts.table}</summary>
      {/* What scrolls is reached with the keyboard. */}
      {/* eslint-disable-next-line jsx-a11y-x/no-noninteractive-tabindex */}
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
