import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { managedStates } from '#contract/vocabulary.ts';
import { ActionDialog } from '#site/admin/ActionDialog.tsx';
import styles from '#site/admin/Admin.module.css';
import { adminKey, callAdmin, useAdminMutation } from '#site/admin/admin-session.ts';
import listStyles from '#site/admin/AdminLists.module.css';
import { AdminSection, Allowed, Loaded, Pagination } from '#site/admin/AdminSection.tsx';
import { setAddress, useAddress, useLostFocus } from '#site/admin/use-address.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Field } from '#site/ui/Field.tsx';
import { demonstrationRemovalTexts } from '#texts/admin.ts';
import { pollListTexts as texts, pollStateTexts } from '#texts/poll-editor.ts';
import { PollEntry } from './PollEntry.tsx';

/** Page and filters of the list, from the address. */
function useView() {
  const [address] = useAddress();
  return {
    page: Math.max(1, Math.trunc(Number(address.get('page'))) || 1),
    state: managedStates.find((name) => name === address.get('state')) ?? null,
    search: address.get('search') ?? '',
  };
}

function usePolls(view: ReturnType<typeof useView>) {
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

/** The list of all polls and drafts, with search and a state filter. */
export function PollList() {
  // After the editor, which may have been scrolled down.
  useLostFocus(() => document.querySelector('h1'));
  const view = useView();
  const query = usePolls(view);
  const create = useAdminMutation(
    () => callAdmin('createDraft', { body: {} }),
    ({ id }) => setAddress({ poll: id }),
  );
  return (
    <AdminSection anchor="polls" heading={texts.heading} text={texts.text}>
      <Allowed to="editor">
        <p>
          <button
            type="button"
            className="button button--primary"
            aria-disabled={create.isPending}
            onClick={() => create.isPending || create.mutate()}
          >
            {texts.create}
          </button>
        </p>
      </Allowed>
      <Filter state={view.state} search={view.search} />
      <p className="muted small figure" role="status">
        {query.data &&
          (query.data.polls.length > 0
            ? texts.found(query.data.total)
            : view.search === '' && view.state === null
              ? texts.none
              : texts.noneFound)}
      </p>
      <Loaded query={query}>
        {({ polls, page, pages, demonstration }) => (
          <>
            {polls.length > 0 && (
              <ul className={styles.list} aria-label={texts.list} inert={query.isPlaceholderData}>
                {polls.map((poll) => (
                  <PollEntry key={poll.id} poll={poll} />
                ))}
              </ul>
            )}
            <Pagination
              label={texts.list}
              page={page}
              pages={pages}
              onPage={(to) => setAddress({ page: to === 1 ? null : String(to) })}
            />
            {demonstration > 0 && (
              <Allowed to="owner">
                <DemonstrationRemoval count={demonstration} />
              </Allowed>
            )}
          </>
        )}
      </Loaded>
    </AdminSection>
  );
}

interface FilterProps {
  readonly state: string | null;
  readonly search: string;
}

function Filter({ state, search }: FilterProps) {
  const id = useId();
  const words = useRef<HTMLInputElement>(null);
  // Follows the address, and keeps the focus.
  useEffect(() => {
    if (words.current !== null) words.current.value = search;
  }, [search]);
  const orNull = (typed = '') => (typed.trim() === '' ? null : typed.trim());
  const find = (chosen: string | null) =>
    setAddress({ page: null, state: chosen, search: orNull(words.current?.value) });
  return (
    <form
      className={listStyles.filter}
      role="search"
      aria-label={texts.heading}
      onSubmit={(event) => {
        event.preventDefault();
        find(state);
      }}
    >
      <Field id={`${id}-search`} label={texts.search}>
        {(control) => (
          <input
            {...control}
            ref={words}
            className="input"
            type="search"
            maxLength={200}
            autoComplete="off"
            dir="auto"
            defaultValue={search}
          />
        )}
      </Field>
      <Field id={`${id}-state`} label={texts.state}>
        {(control) => (
          <select
            {...control}
            className="input"
            value={state ?? ''}
            onChange={({ target }) => find(orNull(target.value))}
          >
            <option value="">{texts.all}</option>
            {managedStates.map((name) => (
              <option key={name} value={name}>
                {pollStateTexts[name]}
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
  const action = async () => {
    const { polls, communityPolls, articles } = await callAdmin('removeDemonstration');
    return done(polls + communityPolls, articles);
  };
  return (
    <div className={listStyles.demonstration}>
      <p className="small">{notice(count)}</p>
      <button type="button" className="button button--small" onClick={() => setIsOpen(true)}>
        {remove}
      </button>
      {isOpen && <ActionDialog dangerous {...{ title, text, confirm, cancel, action, onClose }} />}
    </div>
  );
}
