import { useState } from 'react';
import type { User } from '#contract/account.ts';
import type { CommunityPoll } from '#contract/community-poll.ts';
import { CreatePollForm } from './CreatePollForm.tsx';
import { LinkDialog } from './LinkDialog.tsx';

interface CreatePollProps {
  /** Null: the session ended while the form was open. */
  readonly user: Pick<User, 'id'> | null;
  /** Whose form it is. */
  readonly userId: string;
  /** Somebody asked for the form just now, so that the focus goes there. */
  readonly byHand: boolean;
  /** Where to come back to after signing in. */
  readonly next: string;
  /** The list's public address. */
  readonly url: string;
  readonly onClose: () => void;
  readonly onMade: (poll: CommunityPoll) => void;
}

/** Making a poll: the form, and for a poll that no list shows its link afterwards. */
export function CreatePoll({ url, onClose, onMade, ...form }: CreatePollProps) {
  const [made, setMade] = useState<CommunityPoll | null>(null);
  if (made !== null) return <LinkDialog poll={made} url={url} onDone={onClose} />;
  return (
    <CreatePollForm
      {...form}
      onCancel={onClose}
      onMade={(poll) => {
        if (poll.visibility !== 'public') setMade(poll);
        onMade(poll);
      }}
    />
  );
}
