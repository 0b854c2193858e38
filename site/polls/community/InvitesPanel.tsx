import { useEffect, useId, useRef, useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { RetryButton } from '#site/client/RetryButton.tsx';
import { Field } from '#site/ui/Field.tsx';
import { SideBox } from '#site/ui/SideBox.tsx';
import { inviteTexts as texts } from '#texts/creator-tools.ts';
import type { EmailInvite, Invite } from '#api/polls/community/invitations.contract.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import styles from './CreatorTools.module.css';
import { sharedWithOthers } from '#site/polls/voting/use-poll.ts';
import { InviteLinkBox } from './InviteLinkBox.tsx';

/** The invited people of the creator’s private poll: list, invite, and remove. */
export function InvitesPanel({ pollId }: { readonly pollId: string }) {
  const invites = useInvites(pollId);
  return (
    <SideBox heading={texts.heading}>
      <InviteForm invites={invites} />
      <InviteLinkBox pollId={pollId} />
      {invites.failed ? (
        <div className={styles.stale} role="alert">
          <p>{texts.failed}</p>
          <RetryButton pending={invites.isFetching} small />
        </div>
      ) : (
        <InviteList invites={invites} />
      )}
      <p className="visually-hidden" role="status">
        {invites.announcement}
      </p>
    </SideBox>
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
        label={texts.label(invites.sendsMail)}
        hint={invites.sendsMail ? `${texts.hint} ${texts.mailHint}` : texts.hint}
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
  if (rows.length === 0) return <p className="muted small">{texts.none}</p>;
  return (
    <>
      <ul className={styles.inviteList} aria-label={texts.listLabel}>
        {rows.map((row) => (
          <InviteLine key={row.key} row={row} invites={invites} />
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
  const { name, note, removed } = row;
  const changing = invites.changing === row.key;
  return (
    <li className={styles.inviteLine}>
      <span className={styles.inviteWho}>
        <bdi className={removed ? styles.inviteGone : styles.inviteName}>{name}</bdi>
        <span className={styles.inviteNote}>
          {note.username !== null && <bdi>{`@${note.username} `}</bdi>}
          <span>{note.text}</span>
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

/** A guest, or an address that has not accepted yet. */
type AnyInvite = Invite | EmailInvite;

/** One line of the panel. */
interface InviteRow {
  readonly key: string;
  readonly name: string;
  /** The username unless it is the name, and how far the invitation is. */
  readonly note: { readonly username: string | null; readonly text: string };
  readonly invite: AnyInvite;
  /** Revoked on this page; can be undone. */
  readonly removed: boolean;
}

const keyOf = (invite: AnyInvite) => ('email' in invite ? invite.id : invite.userId);
const nameOf = (invite: AnyInvite) => ('email' in invite ? invite.email : invite.name);
const removalOf = (invite: AnyInvite) =>
  'email' in invite ? texts.mailRemoved(invite.email) : texts.removed(invite.name);

function rowOf(invite: AnyInvite, removed: boolean): InviteRow {
  const own = { key: keyOf(invite), name: nameOf(invite), invite, removed };
  if ('email' in invite) return { ...own, note: { username: null, text: removed ? removalOf(invite) : texts.mailed } };
  const { name, username, acceptedAt } = invite;
  const text = removed ? removalOf(invite) : acceptedAt === null ? texts.waiting : texts.accepted;
  return { ...own, note: { username: name === username ? null : username, text } };
}

/** The guests of a private poll and the actions on them. */
interface Invites {
  /** Oldest invitation first; undefined while loading. */
  readonly rows: readonly InviteRow[] | undefined;
  readonly failed: boolean;
  readonly isFetching: boolean;
  /** Whether addresses can be invited, too. */
  readonly sendsMail: boolean;
  /** Resolves once the person is invited. */
  readonly add: (usernameOrEmail: string) => Promise<unknown>;
  readonly adding: boolean;
  /** Why the last invitation failed. */
  readonly addProblem: string | null;
  readonly remove: (row: InviteRow) => void;
  readonly undo: (row: InviteRow) => void;
  /** Key of the row being changed. */
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
  const [removed, setRemoved] = useState<readonly AnyInvite[]>([]);
  const [announcement, setAnnouncement] = useState('');

  const { data, isError, isFetching } = useQuery<readonly AnyInvite[]>(
    {
      queryKey,
      queryFn: ({ signal }) => callApi('invites', { params, signal }),
      // Guests open the poll while its creator reads the list.
      ...sharedWithOthers,
    },
    client,
  );
  // Read by the box with the link, too.
  const { data: link } = useQuery(
    {
      queryKey: queryKeys.inviteLink(pollId),
      queryFn: ({ signal }) => callApi('inviteLink', { params, signal }),
      ...sharedWithOthers,
    },
    client,
  );
  const without = (list: readonly AnyInvite[] | undefined, invite: AnyInvite) =>
    list?.filter((other) => keyOf(other) !== keyOf(invite)) ?? [];

  const invited = async (invite: AnyInvite, before?: AnyInvite) => {
    await client.cancelQueries({ queryKey });
    client.setQueryData<readonly AnyInvite[]>(queryKey, (list) => [...without(list, invite), invite]);
    // An address that is invited again is another invitation.
    setRemoved((list) => without(list, before ?? invite));
    setAnnouncement(texts.invited(nameOf(invite)));
  };
  const add = useMutation<AnyInvite, Error, string>(
    {
      mutationFn: (usernameOrEmail) => callApi('invite', { params, body: { usernameOrEmail } }),
      onSuccess: (invite) => invited(invite),
    },
    client,
  );
  const change = useMutation<AnyInvite | null, Error, { readonly invite: AnyInvite; readonly again: boolean }>(
    {
      mutationFn: async ({ invite, again }) => {
        if (again)
          return callApi('invite', {
            params,
            body: { usernameOrEmail: 'email' in invite ? invite.email : invite.username },
          });
        await callApi('removeInvite', { params: { ...params, userId: keyOf(invite) } }).catch((error: unknown) => {
          // Already removed elsewhere, such as in another tab.
          if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error;
        });
        return null;
      },
      onSuccess: async (again, { invite }) => {
        if (again !== null) return invited(again, invite);
        await client.cancelQueries({ queryKey });
        client.setQueryData<readonly AnyInvite[]>(queryKey, (list) => without(list, invite));
        setRemoved((list) => [...without(list, invite), invite]);
        setAnnouncement(removalOf(invite));
        // It was revoked, too.
        await client.invalidateQueries({ queryKey: queryKeys.inviteLink(pollId) });
      },
    },
    client,
  );

  return {
    rows:
      data && inOrder([...data, ...removed.filter((gone) => !data.some((row) => keyOf(row) === keyOf(gone)))], data),
    failed: isError && data === undefined,
    isFetching,
    sendsMail: link?.sendsMail === true,
    add: (usernameOrEmail) => add.mutateAsync(usernameOrEmail),
    adding: add.isPending,
    addProblem: add.error && failureSentence(add.error, texts.changeFailed),
    remove: ({ invite }) => change.mutate({ invite, again: false }),
    undo: ({ invite }) => change.mutate({ invite, again: true }),
    changing: change.isPending ? keyOf(change.variables.invite) : undefined,
    changeProblem: change.error && failureSentence(change.error, texts.changeFailed),
    announcement,
  };
}

function inOrder(all: readonly AnyInvite[], present: readonly AnyInvite[]): readonly InviteRow[] {
  return all
    .toSorted((a, b) => a.invitedAt.localeCompare(b.invitedAt) || keyOf(a).localeCompare(keyOf(b)))
    .map((invite) => rowOf(invite, !present.includes(invite)));
}
