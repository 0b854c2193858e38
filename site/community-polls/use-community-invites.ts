import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invite } from '#contract/community-poll.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { communityPollTexts } from '#texts/community-poll.ts';

const texts = communityPollTexts.invites;

/** One line of the panel. `removed`: taken back on this page, and still there to be undone. */
export interface InviteRow extends Invite {
  readonly removed: boolean;
}

/** The guests of an own private poll, and what can be done with them. */
export interface Invites {
  /** First invited first; undefined while they are on their way. */
  readonly rows: readonly InviteRow[] | undefined;
  readonly failed: boolean;
  readonly isFetching: boolean;
  /** Resolves when the person is invited. */
  readonly add: (usernameOrEmail: string) => Promise<unknown>;
  readonly adding: boolean;
  /** Why the last person could not be invited. */
  readonly addProblem: string | null;
  readonly remove: (invite: Invite) => void;
  readonly undo: (invite: Invite) => void;
  /** Id of the guest whose line is being changed. */
  readonly changing: string | undefined;
  readonly changeProblem: string | null;
  /** What was done last, to be read out. */
  readonly news: string;
}

/** Reads and changes the invitations of an own private poll. */
export function useInvites(pollId: string): Invites {
  const client = queryClient();
  const queryKey = queryKeys.invites(pollId);
  const params = { id: pollId };
  const [removed, setRemoved] = useState<readonly Invite[]>([]);
  const [news, setNews] = useState('');

  const { data, isError, isFetching } = useQuery<readonly Invite[]>(
    {
      queryKey,
      queryFn: ({ signal }) => callApi('invites', { params, signal }),
      // Whether a guest has come is looked at again when the creator comes back to the page.
      refetchOnWindowFocus: 'always',
    },
    client,
  );
  const without = (list: readonly Invite[] | undefined, { userId }: Invite) =>
    list?.filter((other) => other.userId !== userId) ?? [];

  const invited = async (invite: Invite) => {
    await client.cancelQueries({ queryKey });
    client.setQueryData<readonly Invite[]>(queryKey, (list) => [...without(list, invite), invite]);
    setRemoved((list) => without(list, invite));
    setNews(texts.invited(invite.name));
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
          // Somebody else, or another tab, was quicker.
          if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error;
        });
        return null;
      },
      onSuccess: async (again, { invite }) => {
        if (again !== null) return invited(again);
        await client.cancelQueries({ queryKey });
        client.setQueryData<readonly Invite[]>(queryKey, (list) => without(list, invite));
        setRemoved((list) => [...without(list, invite), invite]);
        setNews(texts.removed(invite.name));
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
    news,
  };
}

function inOrder(all: readonly Invite[], present: readonly Invite[]): readonly InviteRow[] {
  return all
    .map((invite) => ({ ...invite, removed: !present.includes(invite) }))
    .toSorted((a, b) => a.invitedAt.localeCompare(b.invitedAt) || a.userId.localeCompare(b.userId));
}
