import { useId, useState } from 'react';
import type { CommunityPoll } from '#contract/community-poll.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { ConfirmDialog } from '#site/ui/Dialog.tsx';
import { communityPollTexts } from '#texts/community-poll.ts';
import styles from './CommunityPoll.module.css';
import { isClosed } from './use-community-poll.ts';
import { useClosePoll, useDeletePoll } from './use-community-tools.ts';

const texts = communityPollTexts.tools;

interface CommunityPollToolsProps {
  readonly poll: CommunityPoll;
  /** The poll is deleted: its page is to be left. */
  readonly onDeleted: () => void;
}

/** What only the creator may do: close early, delete. Both are asked about first. */
export function CommunityPollTools({ poll, onDeleted }: CommunityPollToolsProps) {
  const [asked, setAsked] = useState<'close' | 'delete' | null>(null);
  const close = useClosePoll(poll.id, () => setAsked(null));
  const remove = useDeletePoll(poll.id, onDeleted);
  const id = useId();
  const asleep = !useHydrated();
  const deed = asked === 'delete' ? remove : close;
  return (
    <section className={styles.box} aria-labelledby={id}>
      <h2 id={id} className={styles.boxHeading}>
        {texts.heading}
      </h2>
      <div className={styles.buttons}>
        {!isClosed(poll) && (
          <button type="button" className="button" disabled={asleep} onClick={() => setAsked('close')}>
            {texts.close}
          </button>
        )}
        <button type="button" className="button button--danger" disabled={asleep} onClick={() => setAsked('delete')}>
          {texts.delete}
        </button>
      </div>
      {asked !== null && (
        <ConfirmDialog
          title={asked === 'close' ? texts.closeTitle : texts.deleteTitle}
          text={asked === 'close' ? texts.closeText : texts.deleteText}
          confirm={deed.pending ? texts.pending : asked === 'close' ? texts.closeConfirm : texts.deleteConfirm}
          cancel={texts.cancel}
          pending={deed.pending}
          dangerous={asked === 'delete'}
          problem={deed.problem}
          onConfirm={deed.run}
          onClose={() => {
            deed.reset();
            setAsked(null);
          }}
        />
      )}
    </section>
  );
}
