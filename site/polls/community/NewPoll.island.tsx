import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { pollIdPattern, pollProtections } from '#contract/vocabulary.ts';
import type { Protection } from '#contract/vocabulary.ts';
import { signInAddress } from '#domain/next-path.ts';
import { callApi } from '#site/client/api.ts';
import { AuthProvider, useAuth } from '#site/client/auth.tsx';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { SuspendedForm } from '#site/client/SuspendedForm.tsx';
import { CopyLink } from '#site/ui/CopyLink.tsx';
import { Dialog, DialogActions } from '#site/ui/Dialog.tsx';
import { keepToast } from '#site/ui/stored-toast.ts';
import { Notice } from '#site/ui/Notice.tsx';
import { communityPath } from '#site/polls/voting/ballot.ts';
import { createPollTexts as texts } from '#texts/community.ts';
import { openPollTexts } from '#texts/open-poll.ts';
import styles from './CreatePoll.module.css';
import { CreatePoll } from './CreatePoll.tsx';
import { choiceOfPoll } from './ChoiceFields.tsx';
import type { Draft } from './create-poll-draft.ts';

interface NewPollProps {
  /** The public address of the list of community polls, which begins the links to them. */
  readonly listUrl: string;
  /** The levels of protection that this site offers. */
  readonly protections: readonly Protection[];
}

/** The page that creates a community poll; `?from=` and the id of a poll start with its texts. */
export default function NewPoll(props: NewPollProps) {
  return (
    <AuthProvider>
      <Form {...props} />
    </AuthProvider>
  );
}

function Form({ listUrl, protections }: NewPollProps) {
  const { status, user } = useAuth();
  // The member who opened the form: the draft stays with them when the session ends.
  const [userId, setUserId] = useState<string | null>(null);
  if (user !== null && user.id !== userId) setUserId(user.id);
  const [from, setFrom] = useState<string | null>();
  useEffect(() => {
    const id = new URLSearchParams(location.search).get('from') ?? '';
    // The address is known in the browser only.
    // oxlint-disable-next-line react/set-state-in-effect
    setFrom(new RegExp(pollIdPattern).test(id) ? id : null);
  }, []);
  const [created, setCreated] = useState<CommunityPoll | null>(null);
  const copied = useCopied(from ?? null, user !== null);
  const next = from ? `${communityPath}/new?from=${from}` : `${communityPath}/new`;

  if (status === 'signed-out' && userId === null)
    return (
      <Notice title={texts.signInTitle} text={texts.signInText} action={texts.signIn} href={signInAddress(next)} />
    );
  if (userId === null || from === undefined || copied.isLoading)
    return <div className={`skeleton ${styles.waiting}`} role="img" aria-label={texts.loading} />;
  if (user?.suspended === true) return <SuspendedForm />;
  return (
    <>
      {copied.isError && <Notice title={texts.copyFailed} text={texts.copyFailedText} level={2} />}
      <CreatePoll
        key={userId}
        user={user}
        userId={userId}
        protections={protections}
        copied={copied.data ? draftFrom(copied.data) : null}
        next={next}
        onCancel={() => location.assign(communityPath)}
        onCreated={(poll) => {
          if (poll.visibility === 'public') openPoll(poll);
          else setCreated(poll);
        }}
      />
      {created !== null && <CreatedDialog poll={created} url={`${listUrl}/${created.id}`} />}
    </>
  );
}

/** Goes to the page of the new poll, which says that it was created. */
function openPoll({ id, visibility }: CommunityPoll): void {
  keepToast({ title: texts.created, text: texts.createdText[visibility] });
  location.assign(`${communityPath}/${id}`);
}

/** The link of a new poll that is in no list. */
function CreatedDialog({ poll, url }: { readonly poll: CommunityPoll; readonly url: string }) {
  const done = () => openPoll(poll);
  return (
    <Dialog title={texts.createdTitle(texts.visibilities[poll.visibility])} onClose={done}>
      <p>{texts.visibilityMeans[poll.visibility]}</p>
      <CopyLink url={url} label={openPollTexts.shareLabel} ready inDialog />
      <DialogActions>
        <button type="button" className="button button--primary" onClick={done}>
          {texts.done}
        </button>
      </DialogActions>
    </Dialog>
  );
}

/** The poll to start from; it need not be the reader’s own. */
function useCopied(id: string | null, enabled: boolean) {
  return useQuery<CommunityPoll>(
    {
      queryKey: queryKeys.poll(id ?? ''),
      queryFn: ({ signal }) => callApi('communityPoll', { params: { id: id! }, signal }),
      enabled: enabled && id !== null,
      refetchOnMount: false,
    },
    queryClient(),
  );
}

/** A draft with the texts and settings of a poll, and without its times. */
function draftFrom(poll: CommunityPoll): Draft {
  const { question, description, visibility, resultVisibility, optionOrder, category } = poll;
  const protection = pollProtections.find((level) => level === poll.protection);
  return {
    ...{ question, description, visibility, startsAt: '', endsAt: '' },
    category: category ?? '',
    options: poll.options.map(({ text }, key) => ({ key, text })),
    ...choiceOfPoll(poll, poll.options),
    ...(resultVisibility !== undefined && { resultVisibility }),
    ...(optionOrder !== undefined && { optionOrder }),
    ...(protection !== undefined && { protection }),
  };
}
