import { useEffect, useRef, useCallback, useState } from 'react';
import type { CommunityPoll } from '#contract/community-poll.ts';
import { signInAddress } from '#domain/next-path.ts';
import type { Auth } from '#site/client/auth.tsx';
import { Vane } from '#site/ui/Vane.tsx';
import { communityTexts as texts, createPollTexts } from '#texts/community.ts';
import { toast } from '#site/ui/toasts.ts';
import styles from './CommunityList.module.css';
import { storedDraft } from './create-poll-storage.ts';

interface CommunityListActionsProps {
  readonly auth: Auth;
  readonly form: LazyCreatePoll;
  /** Where to return after signing in. */
  readonly next: string;
  /** The list's public address. */
  readonly url: string;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  readonly onCreated: (poll: CommunityPoll) => void;
}

/** The button that opens the form for a new poll and the form itself, or the link to sign in. */
export function CommunityListActions({ auth, form, next, url, onOpen, onClose, onCreated }: CommunityListActionsProps) {
  const button = useRef<HTMLButtonElement>(null);
  const lastStep = useRef(form.step);
  useEffect(() => {
    if (form.step === 'hidden' && lastStep.current === 'open') button.current?.focus();
    lastStep.current = form.step;
  }, [form.step]);

  if (form.step === 'open')
    return (
      <form.CreatePoll
        user={auth.user}
        userId={form.userId}
        focusOnMount={form.focusOnMount}
        next={next}
        url={url}
        onClose={onClose}
        onCreated={onCreated}
      />
    );

  const login = (
    <a className="button" href={signInAddress(next)}>
      {texts.login}
    </a>
  );
  return (
    <div className={styles.actions}>
      {auth.status === 'signed-in' ? (
        <button
          ref={button}
          type="button"
          className="button button--primary"
          aria-disabled={form.step === 'loading'}
          onClick={() => {
            if (form.step === 'hidden') onOpen();
          }}
        >
          {texts.create}
          {form.step === 'loading' && <Vane busy label={createPollTexts.loading} />}
        </button>
      ) : auth.status === 'signed-out' ? (
        login
      ) : (
        // Sign-in status unknown: for likely members the link only reserves the space of the button.
        <div className={styles.reserved}>{login}</div>
      )}
    </div>
  );
}

type CreatePollComponent = typeof import('./CreatePoll.tsx').CreatePoll;

/** The lazily loaded form for a new poll. */
type LazyCreatePoll =
  | { readonly step: 'hidden' | 'loading' }
  | {
      readonly step: 'open';
      readonly CreatePoll: CreatePollComponent;
      readonly userId: string;
      readonly focusOnMount: boolean;
    };

const hidden: LazyCreatePoll = { step: 'hidden' };

/**
 * Opens and closes the form, whose code is loaded on first use because most readers never open it. A form that was open
 * when the page was left opens again for the same member.
 */
export function useLazyCreatePoll(userId: string | null) {
  const [form, setForm] = useState<LazyCreatePoll>(hidden);

  const load = useCallback(async (formUserId: string, focusOnMount: boolean) => {
    setForm({ step: 'loading' });
    try {
      const { CreatePoll } = await import('./CreatePoll.tsx');
      setForm({ step: 'open', CreatePoll, userId: formUserId, focusOnMount });
    } catch (error) {
      // Perhaps offline: pressing the button again retries.
      console.warn('Could not load the form for community polls.', error);
      setForm(hidden);
      toast({ title: createPollTexts.failedTitle, text: createPollTexts.loadFailed, destructive: true });
    }
  }, []);

  useEffect(() => {
    // The session arrives after mount, and loading shows on the button.
    // eslint-disable-next-line react-hooks/set-state-in-effect
    if (userId !== null && storedDraft(userId)?.open) void load(userId, false);
  }, [userId, load]);

  // Another member has signed in since the form was opened.
  const belongsToOther = form.step === 'open' && userId !== null && userId !== form.userId;
  return {
    form: belongsToOther ? hidden : form,
    open: () => {
      if (userId !== null) void load(userId, true);
    },
    close: () => setForm(hidden),
  };
}
