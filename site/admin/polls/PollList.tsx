import { useEffect, useId, useRef } from 'react';
import { managedStates } from '#contract/vocabulary.ts';
import { callAdmin } from '#site/admin/admin-session.ts';
import { ActionButton, AdminList, useAdminQuery } from '#site/admin/AdminList.tsx';
import styles from '#site/admin/Admin.module.css';
import { AdminSection, Allowed } from '#site/admin/AdminSection.tsx';
import { setAddress, useAddress, useLostFocus } from '#site/admin/use-address.ts';
import { Field } from '#site/ui/Field.tsx';
import { SelectField } from '#site/ui/SelectField.tsx';
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

/** The list of all polls and drafts, with search and a state filter. */
export function PollList() {
  // After the editor, which may have been scrolled down.
  useLostFocus(() => document.querySelector('h1'));
  const view = useView();
  const { page, state, search } = view;
  const query = useAdminQuery('managedPolls', {
    query: { page, ...(state !== null && { state }), ...(search !== '' && { search }) },
  });
  return (
    <AdminSection anchor="polls" heading={texts.heading} text={texts.text}>
      <Allowed to="editor">
        <p>
          <ActionButton
            className="button button--primary"
            label={texts.create}
            act={async () => {
              setAddress({ poll: (await callAdmin('createDraft', { body: {} })).id });
            }}
          />
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
      <AdminList
        query={query}
        rows={({ polls }) => polls}
        label={texts.list}
        row={(poll) => <PollEntry poll={poll} />}
        paging={({ page, pages }) => ({
          ...{ label: texts.list, page, pages },
          onPage: (to) => setAddress({ page: to === 1 ? null : String(to) }),
        })}
      >
        {({ demonstration }) => demonstration > 0 && <DemonstrationRemoval count={demonstration} />}
      </AdminList>
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
      className={styles.filter}
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
      <SelectField
        label={texts.state}
        value={state ?? ''}
        choices={[['', texts.all], ...managedStates.map((name) => [name, pollStateTexts[name]] as const)]}
        onChange={(chosen) => find(orNull(chosen))}
      />
      <button type="submit" className="button">
        {texts.find}
      </button>
    </form>
  );
}

/** Removes the demonstration polls that came with the software. */
function DemonstrationRemoval({ count }: { readonly count: number }) {
  const { title, text, confirm, cancel, notice, remove, done } = demonstrationRemovalTexts;
  return (
    <Allowed to="owner">
      <div className={styles.demonstration}>
        <p className="small">{notice(count)}</p>
        <ActionButton
          label={remove}
          ask={{ title, text, confirm, cancel, dangerous: true }}
          act={async () => {
            const { polls, communityPolls, articles } = await callAdmin('removeDemonstration');
            return done(polls + communityPolls, articles);
          }}
        />
      </div>
    </Allowed>
  );
}
