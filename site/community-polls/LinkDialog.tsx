import type { CommunityPoll } from '#contract/community-poll.ts';
import { CopyLink } from '#site/ui/CopyLink.tsx';
import { Dialog, DialogActions } from '#site/ui/Dialog.tsx';
import { createPollTexts } from '#texts/community.ts';
import { communityPath } from './community-list-view.ts';

interface LinkDialogProps {
  readonly poll: Pick<CommunityPoll, 'id' | 'visibility'>;
  /** The list's public address. */
  readonly url: string;
  readonly onDone: () => void;
}

/** A poll that no list shows is made: its link to take along, and for a private one the way to its invitations. */
export function LinkDialog({ poll, url, onDone }: LinkDialogProps) {
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
