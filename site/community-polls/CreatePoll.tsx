import { useState } from 'react';
import type { User } from '#contract/account.ts';
import type { CommunityPoll } from '#contract/community-poll.ts';
import { CopyLink } from '#site/ui/CopyLink.tsx';
import { Dialog, DialogActions } from '#site/ui/Dialog.tsx';
import { createPollTexts } from '#texts/community.ts';
import { CreatePollForm } from './CreatePollForm.tsx';
import { communityPath } from './community-list-view.ts';

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

interface LinkDialogProps {
  readonly poll: Pick<CommunityPoll, 'id' | 'visibility'>;
  /** The list's public address. */
  readonly url: string;
  readonly onDone: () => void;
}

/** A poll that no list shows is made: its link to take along, and for a private one the way to its invitations. */
function LinkDialog({ poll, url, onDone }: LinkDialogProps) {
  const texts = createPollTexts.link;
  const kind = poll.visibility === 'private' ? 'private' : 'unlisted';
  return (
    <Dialog title={texts.title[kind]} onClose={onDone}>
      <p>{texts.text[kind]}</p>
      <CopyLink url={`${url}/${poll.id}`} label={texts.label} ready inDialog />
      <DialogActions>
        <a className="button" href={`${communityPath}/${poll.id}`}>
          {texts.open[kind]}
        </a>
        <button type="button" className="button button--primary" onClick={onDone}>
          {texts.done}
        </button>
      </DialogActions>
    </Dialog>
  );
}
