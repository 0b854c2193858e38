import { useId } from 'react';
import type { PollCalendar } from '#api/admin/today/today.contract.ts';
import { localDayOf, shiftMonth } from '#domain/time-zone.ts';
import { callAdmin, useAllowed } from '#site/admin/admin-session.ts';
import { ActionButton, useAdminQuery } from '#site/admin/AdminList.tsx';
import { Loaded } from '#site/admin/AdminSection.tsx';
import { useAddress } from '#site/admin/use-address.ts';
import { formatMoment, siteZone } from '#site/ui/format.ts';
import { useNow } from '#site/ui/RelativeTime.tsx';
import { calendarTexts as texts } from '#texts/admin-calendar.ts';
import { pollListTexts } from '#texts/poll-editor.ts';
import { calendarDays } from './calendar-days.ts';
import type { CalendarDay, CalendarEvent } from './calendar-days.ts';
import adminStyles from '#site/admin/Admin.module.css';
import styles from './Calendar.module.css';

const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dayName = new Intl.DateTimeFormat('en-US', {
  ...{ weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' },
});
const named = (question: string) => (question === '' ? pollListTexts.untitled : question);
const nameOfDay = (day: string) => dayName.format(Date.parse(`${day}T00:00Z`));
const nameOf = (month: string) => monthName.format(Date.parse(`${month}-01T00:00Z`));

/** The weekly polls of the month in the address, the current one by default. */
export function Calendar() {
  const now = useNow();
  // Without a clock, as in pre-rendered HTML, there is no current month to ask for.
  return now === null ? null : <CalendarAt now={now} />;
}

function CalendarAt({ now }: { readonly now: number }) {
  const id = useId();
  const zone = siteZone();
  const [address, setAddress] = useAddress();
  const current = localDayOf(now, zone).slice(0, 7);
  const wanted = address.get('month') ?? '';
  const month = /^(19|20)\d\d-(0[1-9]|1[0-2])$/.test(wanted) ? wanted : current;
  const query = useAdminQuery('pollCalendar', { query: { month } });
  const link = (to: string, label: string) => (
    <a
      className="button button--small"
      href={`?view=calendar&month=${to}`}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        setAddress({ month: to === current ? null : to });
      }}
    >
      {label}
    </a>
  );
  return (
    <section className={styles.calendar} aria-labelledby={id} aria-busy={query.isPlaceholderData}>
      <div className={styles.head}>
        <h2 id={id} tabIndex={-1} aria-live="polite">
          {nameOf(month)}
        </h2>
        <nav className={styles.months} aria-label={texts.months}>
          {link(shiftMonth(month, -1), texts.previous)}
          {month !== current && link(current, texts.current)}
          {link(shiftMonth(month, 1), texts.next)}
        </nav>
      </div>
      <p className="muted small">{texts.intro}</p>
      <Loaded query={query}>{(calendar) => <Month calendar={calendar} zone={zone} />}</Loaded>
    </section>
  );
}

function Month({ calendar, zone }: { readonly calendar: PollCalendar; readonly zone: string }) {
  const { month, polls, total, gaps, overlaps } = calendar;
  const { days, throughout } = calendarDays(calendar, zone);
  const today = localDayOf(useNow() ?? 0, zone);
  return (
    <>
      <Periods title={texts.gaps} periods={gaps} isWarning />
      <Periods title={texts.overlaps} periods={overlaps} />
      {gaps.length === 0 && polls.length > 0 && <p className="muted small">{texts.covered}</p>}
      {days.every(({ events }) => events.length === 0) && <p>{texts.none}</p>}
      <div className={styles.weekdays} aria-hidden="true">
        {texts.weekdays.map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <ol className={styles.days} aria-label={texts.days(nameOf(month))}>
        {days.map((day) => (
          <Day key={day.day} {...day} today={today} />
        ))}
      </ol>
      {throughout.length > 0 && (
        <>
          <h3>{texts.throughout}</h3>
          <ul className={adminStyles.bullets}>
            {throughout.map(({ id, question }) => (
              <li key={id}>
                <PollLink id={id}>{named(question)}</PollLink>
              </li>
            ))}
          </ul>
        </>
      )}
      {total > polls.length && <p className="muted small">{texts.more(polls.length, total)}</p>}
    </>
  );
}

function Day({ day, weekday, events, hasGap, crowd, today }: CalendarDay & { readonly today: string }) {
  const mayEdit = useAllowed('editor');
  const isToday = day === today;
  const isEmpty = events.length === 0 && !isToday;
  return (
    <li
      className={`${styles.day} ${isEmpty ? styles.empty : ''} ${isToday ? styles.today : ''}`}
      data-weekday={weekday}
      aria-current={isToday ? 'date' : undefined}
    >
      <p className={styles.date}>
        <time dateTime={day}>{nameOfDay(day)}</time>
        {isToday && <span className="tag">{texts.today}</span>}
        {hasGap && <span className={`tag ${styles.gap}`}>{texts.gap}</span>}
        {crowd !== null && <span className="tag">{texts.overlap(crowd)}</span>}
      </p>
      {events.length > 0 && (
        <ul className={styles.events}>
          {events.map((event) => (
            <Event key={`${event.kind} ${event.poll.id}`} {...event} />
          ))}
        </ul>
      )}
      {events.length === 0 && mayEdit && day >= today && <NewPoll day={day} />}
    </li>
  );
}

/** Begins a poll for the next free weekly slot from a day on. */
function NewPoll({ day }: { readonly day: string }) {
  return (
    <ActionButton
      className={styles.create}
      label={texts.create}
      name={texts.createFrom(nameOfDay(day))}
      act={async () => {
        const { id } = await callAdmin('createDraft', { body: { from: day } });
        location.assign(`/admin/polls?poll=${id}`);
      }}
    />
  );
}

function Event({ kind, time, poll: { id, question: typed, state } }: CalendarEvent) {
  const question = named(typed);
  const mark = kind === 'opens' ? texts.states[state] : null;
  return (
    <li className={kind === 'opens' ? styles.opens : styles.closes}>
      <span className="muted small">
        {texts[kind]} <span className="figure">{time}</span>
        {mark !== null && `, ${mark.toLowerCase()}`}
      </span>
      <PollLink id={id} name={texts.event(texts[kind], time, question)}>
        {question}
      </PollLink>
    </li>
  );
}

interface PollLinkProps {
  readonly id: string;
  readonly name?: string;
  /** The question. */
  readonly children: string;
}

/** A question, with a link for those who may edit polls. */
function PollLink({ id, name, children }: PollLinkProps) {
  if (!useAllowed('editor')) return <bdi>{children}</bdi>;
  return (
    <a href={`/admin/polls?poll=${id}`} dir="auto" aria-label={name}>
      {children}
    </a>
  );
}

interface PeriodsProps {
  readonly title: string;
  readonly periods: PollCalendar['gaps'];
  readonly isWarning?: boolean;
}

function Periods({ title, periods, isWarning = false }: PeriodsProps) {
  if (periods.length === 0) return null;
  return (
    <div className={isWarning ? styles.warning : undefined}>
      <p>{title}</p>
      <ul className={adminStyles.bullets}>
        {periods.map(({ from, to }) => (
          <li key={from}>{texts.period(formatMoment(from), formatMoment(to))}</li>
        ))}
      </ul>
    </div>
  );
}
