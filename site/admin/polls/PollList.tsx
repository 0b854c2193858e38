import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { managedStates } from '#contract/vocabulary.ts';
import type { ManagedState } from '#contract/vocabulary.ts';
import { queryClient } from '#site/client/query-client.ts';
import { ConfirmDialog } from '#site/ui/Dialog.tsx';
import { Field } from '#site/ui/Field.tsx';
import { demonstrationRemovalTexts, pollListTexts as texts } from '#texts/admin.ts';
import styles from '#site/admin/Admin.module.css';
import { adminKey, callAdmin, useDialogMutation } from '#site/admin/admin-session.ts';
import listStyles from '#site/admin/AdminLists.module.css';
import { AdminSection, Loaded, Pagination } from '#site/admin/AdminSection.tsx';
import { PollEntry } from './PollEntry.tsx';

/** Page and filters of the list. */
interface PollsView {
  readonly page: number;
  readonly state: ManagedState | null;
  readonly search: string;
}

function usePolls(view: PollsView) {
  const { page, state, search } = view;
  return useQuery(
    {
      queryKey: [...adminKey, 'polls', view],
      queryFn: ({ signal }) =>
        callAdmin('managedPolls', {
          query: { page, ...(state !== null && { state }), ...(search !== '' && { search }) },
          signal,
        }),
      placeholderData: keepPreviousData,
    },
    queryClient(),
  );
}

/** The list of all polls, with search and a state filter. */
export function PollList() {
  const [view, setView] = useState<PollsView>({ page: 1, state: null, search: '' });
  const query = usePolls(view);
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
                <ul className={styles.list} aria-label={texts.list} inert={query.isPlaceholderData}>
                  {polls.map((poll) => (
                    <PollEntry key={poll.id} poll={poll} />
                  ))}
                </ul>
              </>
            )}
            <Pagination label={texts.list} page={page} pages={pages} onPage={(page) => setView({ ...view, page })} />
            {demonstration > 0 && <DemonstrationRemoval count={demonstration} />}
          </>
        )}
      </Loaded>
    </AdminSection>
  );
}

function Filter({ onView }: { readonly onView: (view: PollsView) => void }) {
  const id = useId();
  const apply = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const state = managedStates.find((name) => name === data.get('state')) ?? null;
    const search = data.get('search');
    onView({ page: 1, state, search: typeof search === 'string' ? search.trim() : '' });
  };
  return (
    <form
      className={listStyles.filter}
      role="search"
      aria-label={texts.heading}
      onSubmit={(event) => {
        event.preventDefault();
        apply(event.currentTarget);
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
              if (target.form) apply(target.form);
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

/** Removes the demonstration polls that came with the software. */
function DemonstrationRemoval({ count }: { readonly count: number }) {
  const { title, text, confirm, cancel, notice, remove, done } = demonstrationRemovalTexts;
  const [isOpen, setIsOpen] = useState(false);
  const onClose = () => setIsOpen(false);
  const { mutate, pending, problem } = useDialogMutation(async () => {
    const { polls, communityPolls, articles } = await callAdmin('removeDemonstration');
    return done(polls + communityPolls, articles);
  }, onClose);
  return (
    <div className={listStyles.demonstration}>
      <p className="small">{notice(count)}</p>
      <button type="button" className="button button--small" onClick={() => setIsOpen(true)}>
        {remove}
      </button>
      {isOpen && (
        <ConfirmDialog
          dangerous
          {...{ title, text, confirm, cancel, pending, problem, onClose }}
          onConfirm={() => mutate()}
        />
      )}
    </div>
  );
}
