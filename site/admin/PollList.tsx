import { useId } from 'react';
import { managedStates } from '#contract/vocabulary.ts';
import { Field } from '#site/ui/Field.tsx';
import { pollListTexts as texts } from '#texts/admin-polls.ts';
import styles from './Admin.module.css';
import { AdminSection } from './AdminSection.tsx';
import { DemonstrationRemoval } from './DemonstrationRemoval.tsx';
import { Loaded } from './Loaded.tsx';
import own from './Managing.module.css';
import { PageSteps } from './PageSteps.tsx';
import { PollEntry } from './PollEntry.tsx';
import { usePolls } from './use-managing.ts';
import type { PollsView } from './use-managing.ts';

/** All polls, to be found, closed, opened again and edited. */
export function PollList() {
  const { query, view, setView } = usePolls();
  return (
    <AdminSection anchor="polls" heading={texts.heading} text={texts.text}>
      <Filter onView={setView} />
      <Loaded query={query}>
        {({ polls, page, pages, total, demonstration }) => (
          <>
            {polls.length === 0 ? (
              <p className="muted" role="status">
                {view.search === '' && view.state === null ? texts.none : texts.noneFound}
              </p>
            ) : (
              <>
                <p className="muted small figure" role="status">
                  {texts.found(total)}
                </p>
                <ul className={styles.list} aria-label={texts.list}>
                  {polls.map((poll) => (
                    <PollEntry key={poll.id} poll={poll} />
                  ))}
                </ul>
              </>
            )}
            <PageSteps
              label={texts.list}
              page={page}
              pages={pages}
              onPage={(next) => setView({ ...view, page: next })}
            />
            {demonstration > 0 && <DemonstrationRemoval count={demonstration} />}
          </>
        )}
      </Loaded>
    </AdminSection>
  );
}

function Filter({ onView }: { readonly onView: (view: PollsView) => void }) {
  const id = useId();
  const look = (form: HTMLFormElement) => {
    const said = new FormData(form);
    const state = managedStates.find((one) => one === said.get('state')) ?? null;
    const search = said.get('search');
    onView({ page: 1, state, search: typeof search === 'string' ? search.trim() : '' });
  };
  return (
    <form
      className={own.filter}
      role="search"
      aria-label={texts.heading}
      onSubmit={(event) => {
        event.preventDefault();
        look(event.currentTarget);
      }}
    >
      <Field id={`${id}-search`} label={texts.search}>
        {(control) => (
          <input
            {...control}
            className="input"
            type="search"
            name="search"
            maxLength={200}
            autoComplete="off"
            dir="auto"
          />
        )}
      </Field>
      <Field id={`${id}-state`} label={texts.state}>
        {(control) => (
          <select
            {...control}
            className="input"
            name="state"
            onChange={({ target }) => {
              if (target.form) look(target.form);
            }}
          >
            <option value="">{texts.all}</option>
            {managedStates.map((state) => (
              <option key={state} value={state}>
                {texts.states[state]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <button type="submit" className="button">
        {texts.find}
      </button>
    </form>
  );
}
