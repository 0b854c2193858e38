import { useEffect, useId, useRef, useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { RetryButton } from '#site/client/RetryButton.tsx';
import { Field } from '#site/ui/Field.tsx';
import { inviteTexts as texts } from '#texts/creator-tools.ts';
import type { Invite } from '#contract/invitation.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import styles from './CommunityPoll.module.css';
import { sharedWithOthers } from './community-poll.ts';
import { InviteLinkBox } from './InviteLinkBox.tsx';

/** The invited people of the creator’s private poll: list, invite, and remove. */
export function InvitesPanel({ pollId }: { readonly pollId: string }) {
  const invites = useInvites(pollId);
  const id = useId();
  return (
    <section className={styles.box} aria-labelledby={id}>
      <h2 id={id} className={styles.boxHeading}>
        {texts.heading}
      </h2>
      <InviteForm invites={invites} />
      {invites.failed ? (
        <div className={styles.stale} role="alert">
          <p>{texts.failed}</p>
          <RetryButton pending={invites.isFetching} small />
        </div>
      ) : (
        <InviteList invites={invites} />
      )}
      <InviteLinkBox pollId={pollId} />
      <p className="visually-hidden" role="status">
        {invites.announcement}
      </p>
    </section>
  );
}

/** The outcome of one name of a pasted list. */
interface InviteResult {
  readonly name: string;
  readonly problem: string | null;
}

/** Usernames and email addresses have no spaces, so any white space, comma, or semicolon separates them. */
const namesIn = (text: string) => [...new Set(text.split(/[\s,;]+/).filter((name) => name !== ''))];

function InviteForm({ invites }: { readonly invites: Invites }) {
  const id = useId();
  const [text, setText] = useState('');
  const [results, setResults] = useState<readonly InviteResult[]>([]);
  const input = useRef<HTMLTextAreaElement>(null);
  const names = namesIn(text);

  // Text may have been entered before hydration.
  useEffect(() => {
    if (input.current) setText(input.current.value);
  }, []);

  const handleSubmit = async (event: { preventDefault(): void }) => {
    event.preventDefault();
    if (names.length === 0 || invites.adding) return;
    const done: InviteResult[] = [];
    setResults([]);
    for (const name of names) {
      try {
        await invites.add(name);
        done.push({ name, problem: null });
      } catch (error) {
        done.push({ name, problem: failureSentence(error, texts.changeFailed) });
      }
      // One name has its result beside the field.
      if (names.length > 1) setResults([...done]);
    }
    // What failed stays, to be corrected.
    setText(done.flatMap(({ name, problem }) => (problem === null ? [] : [name])).join('\n'));
    input.current?.focus();
  };

  return (
    <form className={styles.inviteForm} onSubmit={(event) => void handleSubmit(event)}>
      <Field
        id={id}
        label={texts.label}
        hint={texts.hint}
        problem={results.length === 0 ? (invites.addProblem ?? undefined) : undefined}
        className={styles.inviteField}
      >
        {(control) => (
          <textarea
            {...control}
            ref={input}
            className="input"
            rows={Math.min(8, Math.max(1, names.length))}
            value={text}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            dir="auto"
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              // Names are typed in one line; pasted ones may have several.
              if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) void handleSubmit(event);
            }}
          />
        )}
      </Field>
      <button type="submit" className="button" disabled={names.length === 0 || invites.adding}>
        {invites.adding ? texts.pending : texts.add}
      </button>
      <div className={styles.inviteResults} aria-live="polite">
        {results.length > 0 && (
          <ul aria-label={texts.results}>
            {results.map(({ name, problem }) => (
              <li key={name}>
                <bdi>{name}</bdi>: {problem ?? texts.done}
              </li>
            ))}
          </ul>
        )}
      </div>
    </form>
  );
}

function InviteList({ invites }: { readonly invites: Invites }) {
  const { rows, changeProblem } = invites;
  if (rows === undefined) return <div className={`skeleton ${styles.inviteSkeleton}`} aria-hidden="true" />;
  if (rows.length === 0) return <p className={styles.boxNote}>{texts.none}</p>;
  return (
    <>
      <ul className={styles.inviteList} aria-label={texts.listLabel}>
        {rows.map((row) => (
          <InviteLine key={row.userId} row={row} invites={invites} />
        ))}
      </ul>
      {changeProblem !== null && (
        <p className={styles.inviteProblem} role="alert">
          {changeProblem}
        </p>
      )}
    </>
  );
}

function InviteLine({ row, invites }: { readonly row: InviteRow; readonly invites: Invites }) {
  const { name, username, removed } = row;
  const changing = invites.changing === row.userId;
  return (
    <li className={styles.inviteLine}>
      <span className={styles.inviteWho}>
        <bdi className={removed ? styles.inviteGone : styles.inviteName}>{name}</bdi>
        <span className={styles.inviteNote}>
          {name !== username && <bdi>{`@${username} `}</bdi>}
          <span>{removed ? texts.removed(name) : row.acceptedAt === null ? texts.waiting : texts.accepted}</span>
        </span>
      </span>
      {/* One button for both, never disabled, so it keeps the focus. */}
      <button
        type="button"
        className="button button--small"
        aria-label={removed ? texts.undoLabel(name) : texts.removeLabel(name)}
        aria-disabled={changing}
        onClick={() => {
          if (changing) return;
          if (removed) invites.undo(row);
          else invites.remove(row);
        }}
      >
        {removed ? texts.undo : texts.remove}
      </button>
    </li>
  );
}

/** One line of the panel. `removed`: revoked on this page and can be undone. */
interface InviteRow extends Invite {
  readonly removed: boolean;
}

/** The guests of a private poll and the actions on them. */
interface Invites {
  /** Oldest invitation first; undefined while loading. */
  readonly rows: readonly InviteRow[] | undefined;
  readonly failed: boolean;
  readonly isFetching: boolean;
  /** Resolves once the person is invited. */
  readonly add: (usernameOrEmail: string) => Promise<unknown>;
  readonly adding: boolean;
  /** Why the last invitation failed. */
  readonly addProblem: string | null;
  readonly remove: (invite: Invite) => void;
  readonly undo: (invite: Invite) => void;
  /** Id of the guest being changed. */
  readonly changing: string | undefined;
  readonly changeProblem: string | null;
  /** The last change, for screen readers. */
  readonly announcement: string;
}

/** Reads and changes the invitations of a private poll. */
function useInvites(pollId: string): Invites {
  const client = queryClient();
  const queryKey = queryKeys.invites(pollId);
  const params = { id: pollId };
  const [removed, setRemoved] = useState<readonly Invite[]>([]);
  const [announcement, setAnnouncement] = useState('');

  const { data, isError, isFetching } = useQuery<readonly Invite[]>(
    {
      queryKey,
      queryFn: ({ signal }) => callApi('invites', { params, signal }),
      // Guests open the poll while its creator reads the list.
      ...sharedWithOthers,
    },
    client,
  );
  const without = (list: readonly Invite[] | undefined, { userId }: Invite) =>
    list?.filter((other) => other.userId !== userId) ?? [];

  const invited = async (invite: Invite) => {
    await client.cancelQueries({ queryKey });
    client.setQueryData<readonly Invite[]>(queryKey, (list) => [...without(list, invite), invite]);
    setRemoved((list) => without(list, invite));
    setAnnouncement(texts.invited(invite.name));
  };
  const add = useMutation<Invite, Error, string>(
    {
      mutationFn: (usernameOrEmail) => callApi('invite', { params, body: { usernameOrEmail } }),
      onSuccess: invited,
    },
    client,
  );
  const change = useMutation<Invite | null, Error, { readonly invite: Invite; readonly again: boolean }>(
    {
      mutationFn: async ({ invite, again }) => {
        if (again) return callApi('invite', { params, body: { usernameOrEmail: invite.username } });
        await callApi('removeInvite', { params: { ...params, userId: invite.userId } }).catch((error: unknown) => {
          // Already removed elsewhere, such as in another tab.
          if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error;
        });
        return null;
      },
      onSuccess: async (again, { invite }) => {
        if (again !== null) return invited(again);
        await client.cancelQueries({ queryKey });
        client.setQueryData<readonly Invite[]>(queryKey, (list) => without(list, invite));
        setRemoved((list) => [...without(list, invite), invite]);
        setAnnouncement(texts.removed(invite.name));
        // It was revoked, too.
        await client.invalidateQueries({ queryKey: queryKeys.inviteLink(pollId) });
      },
    },
    client,
  );

  return {
    rows:
      data && inOrder([...data, ...removed.filter(({ userId }) => !data.some((row) => row.userId === userId))], data),
    failed: isError && data === undefined,
    isFetching,
    add: (usernameOrEmail) => add.mutateAsync(usernameOrEmail),
    adding: add.isPending,
    addProblem: add.error && failureSentence(add.error, texts.changeFailed),
    remove: (invite) => change.mutate({ invite, again: false }),
    undo: (invite) => change.mutate({ invite, again: true }),
    changing: change.isPending ? change.variables.invite.userId : undefined,
    changeProblem: change.error && failureSentence(change.error, texts.changeFailed),
    announcement,
  };
}

function inOrder(all: readonly Invite[], present: readonly Invite[]): readonly InviteRow[] {
  return all
    .map((invite) => ({ ...invite, removed: !present.includes(invite) }))
    .toSorted((a, b) => a.invitedAt.localeCompare(b.invitedAt) || a.userId.localeCompare(b.userId));
}
