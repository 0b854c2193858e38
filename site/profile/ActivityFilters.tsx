import { useEffect, useState } from 'react';
import * as limits from '#contract/limits.ts';
import { activityTypes } from '#contract/vocabulary.ts';
import { goTo, replaceAddress } from '#site/client/address.ts';
import { activitiesTexts as texts } from '#texts/profile.ts';
import styles from './Activities.module.css';
import { activitiesAddress, activitiesPath, searchText } from './activities-view.ts';
import type { ActivitiesView } from './activities-view.ts';

/** Milliseconds without a key pressed after which is searched for what was typed. */
const pauseMs = 300;

/** What is listed: a search that follows the typing, and a type. The address remembers both. */
export function ActivityFilters({ view }: { readonly view: ActivitiesView }) {
  const [typed, setTyped] = useState(view.q);
  const [followed, setFollowed] = useState(view.q);
  // Another address than the typing led to: somebody went back, or asked for everything.
  if (followed !== view.q) {
    setFollowed(view.q);
    if (searchText(typed) !== view.q) setTyped(view.q);
  }

  const searched = activitiesAddress({ ...view, q: searchText(typed) });
  const shown = activitiesAddress(view);
  useEffect(() => {
    if (searched === shown) return;
    const timer = setTimeout(() => replaceAddress(searched), pauseMs);
    return () => clearTimeout(timer);
  }, [searched, shown]);

  return (
    <form
      className={`no-print ${styles.filters}`}
      role="search"
      action={activitiesPath}
      aria-label={texts.which}
      onSubmit={(event) => {
        event.preventDefault();
        replaceAddress(searched);
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
