import { useEffect, useState } from 'react';
import * as limits from '#contract/limits.ts';
import { activityTypes } from '#contract/vocabulary.ts';
import { goTo, replaceAddress, useSearch } from '#site/client/address.ts';
import { PageHead } from '#site/client/MemberPageParts.tsx';
import { activitiesTexts as texts } from '#texts/profile.ts';
import styles from './Activities.module.css';
import { activitiesAddress, activitiesPath, readActivitiesView, searchText } from './activities-view.ts';
import type { ActivitiesView } from './activities-view.ts';
import { EntryPlaceholders } from './Entries.tsx';
import { Figures, MemberPage } from './MemberPage.tsx';
import { OwnPolls } from './OwnPolls.tsx';
import { Timeline, useActivities } from './Timeline.tsx';

/** The searchable timeline of everything the member did, and the polls the member created. */
export default function Activities() {
  return (
    <MemberPage title={texts.pageTitle} loading={texts.loading}>
      {(user) => (
        <>
          <PageHead title={texts.pageTitle} />
          {user === null ? <Placeholders /> : <OwnActivities />}
        </>
      )}
    </MemberPage>
  );
}

function OwnActivities() {
  const view = readActivitiesView(useSearch(''));
  const activities = useActivities(view);
  const stats = activities.data?.pages[0]?.stats;
  return (
    <>
      {/* Placeholders without data would suggest that it is coming. */}
      {!(activities.isError && stats === undefined) && <Figures stats={stats} />}
      <section className={styles.timeline} aria-labelledby="timeline">
        <div className="section-head">
          <h2 id="timeline">{texts.timeline}</h2>
        </div>
        <ActivityFilters view={view} />
        <Timeline view={view} activities={activities} />
      </section>
      <OwnPolls view={view} total={stats?.polls} />
    </>
  );
}

function Placeholders() {
  return (
    <>
      <Figures stats={undefined} />
      <section className={styles.timeline}>
        <div className="section-head">
          <h2>{texts.timeline}</h2>
        </div>
        <div className={`skeleton ${styles.filtersPlaceholder}`} />
        <EntryPlaceholders count={8} />
      </section>
    </>
  );
}

/** Pause in typing after which the search starts. */
const searchDelayMs = 300;

/** The search, which follows the typing, and the type filter. Both are stored in the URL. */
function ActivityFilters({ view }: { readonly view: ActivitiesView }) {
  const [typed, setTyped] = useState(view.q);
  const [urlSearch, setUrlSearch] = useState(view.q);
  // The URL changed by other means than typing, such as the back button.
  if (urlSearch !== view.q) {
    setUrlSearch(view.q);
    if (searchText(typed) !== view.q) setTyped(view.q);
  }

  const typedAddress = activitiesAddress({ ...view, q: searchText(typed) });
  const currentAddress = activitiesAddress(view);
  useEffect(() => {
    if (typedAddress === currentAddress) return;
    const timer = setTimeout(() => replaceAddress(typedAddress), searchDelayMs);
    return () => clearTimeout(timer);
  }, [typedAddress, currentAddress]);

  return (
    <form
      className={`no-print ${styles.filters}`}
      role="search"
      action={activitiesPath}
      aria-label={texts.which}
      onSubmit={(event) => {
        event.preventDefault();
        replaceAddress(typedAddress);
      }}
    >
      <label className="field">
        <span className="field__label">{texts.search}</span>
        <input
          className="input"
          type="search"
          name="q"
          value={typed}
          maxLength={limits.activitySearchLength}
          placeholder={texts.searchHint}
          dir="auto"
          autoComplete="off"
          enterKeyHint="search"
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      <label className="field">
        <span className="field__label">{texts.type}</span>
        <select
          className="input"
          name="type"
          value={view.type ?? ''}
          onChange={({ target }) =>
            goTo(
              activitiesAddress({
                ...view,
                q: searchText(typed),
                type: activityTypes.find((type) => type === target.value) ?? null,
              }),
            )
          }
        >
          <option value="">{texts.allTypes}</option>
          {activityTypes.map((type) => (
            <option key={type} value={type}>
              {texts.types[type]}
            </option>
          ))}
        </select>
      </label>
    </form>
  );
}
