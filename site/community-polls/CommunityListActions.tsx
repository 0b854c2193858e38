import { useEffect, useRef } from 'react';
import type { CommunityPoll } from '#contract/community-poll.ts';
import { signInAddress } from '#domain/next-path.ts';
import type { Auth } from '#site/client/auth.tsx';
import { Vane } from '#site/ui/Vane.tsx';
import { communityTexts as texts, createPollTexts } from '#texts/community.ts';
import styles from './CommunityList.module.css';
import type { CreatePollPart } from './use-create-poll-part.ts';

interface CommunityListActionsProps {
  readonly auth: Auth;
  readonly part: CreatePollPart;
  /** Where to come back to after signing in. */
  readonly next: string;
  /** The list's public address. */
  readonly url: string;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  readonly onMade: (poll: CommunityPoll) => void;
}

/** The way to a poll of one's own: the button and the form behind it, or the way to the sign-in. */
export function CommunityListActions({ auth, part, next, url, onOpen, onClose, onMade }: CommunityListActionsProps) {
  const button = useRef<HTMLButtonElement>(null);
  const lastStep = useRef(part.step);
  useEffect(() => {
    if (part.step === 'hidden' && lastStep.current === 'open') button.current?.focus();
    lastStep.current = part.step;
  }, [part.step]);

  if (part.step === 'open')
    return (
      <part.Part
        user={auth.user}
        userId={part.userId}
        byHand={part.byHand}
        next={next}
        url={url}
        onClose={onClose}
        onMade={onMade}
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
          aria-disabled={part.step === 'loading'}
          onClick={() => {
            if (part.step === 'hidden') onOpen();
          }}
        >
          {texts.create}
          {part.step === 'loading' && <Vane busy label={createPollTexts.loading} />}
        </button>
      ) : auth.status === 'signed-out' ? (
        login
      ) : (
        // Nobody knows yet who reads this; for who seems to be a member, the place is kept for the button.
        <div className={styles.guess}>{login}</div>
      )}
    </div>
  );
}
