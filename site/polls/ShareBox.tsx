import { ReportPoll } from '#site/polls/community/ReportPoll.tsx';
import { isCommunity } from '#site/polls/voting/ballot.ts';
import type { AnyPoll } from '#site/polls/voting/ballot.ts';
import { CopyLink } from '#site/ui/CopyLink.tsx';
import { copyMessage, copyText, ShareButton } from '#site/ui/ShareButton.tsx';
import { SideBox } from '#site/ui/SideBox.tsx';
import { toast } from '#site/ui/toasts.ts';
import { openPollTexts as texts } from '#texts/open-poll.ts';
import { embedCodeTexts as embed } from '#texts/embeds.ts';
import styles from './PollPage.module.css';

interface ShareBoxProps {
  readonly poll: AnyPoll;
  /** The page’s public address. */
  readonly url: string;
  /** HTML that embeds the poll on other sites. */
  readonly embedCode?: string | undefined;
}

/** Who can open the link of a poll; undefined: everyone. */
function noteOn({ visibility = 'public', isMine = false }: AnyPoll): string | undefined {
  if (visibility === 'public') return undefined;
  return visibility === 'unlisted' ? texts.unlisted : isMine ? texts.private : texts.guest;
}

/** The link to share and who can open it, the share sheet, and the embed code of a poll. */
export function ShareBox({ poll, url, embedCode = '' }: ShareBoxProps) {
  const note = noteOn(poll);
  const handleCopyCode = async () => toast(copyMessage(await copyText(embedCode)));
  return (
    <SideBox heading={texts.shareHeading} note={note}>
      <CopyLink url={url} label={texts.shareLabel} ready />
      {note === undefined && <ShareButton title={poll.question} url={url} ready className="button--wide" />}
      {embedCode !== '' && (
        <details className={`fold ${styles.embed}`}>
          <summary>{embed.heading}</summary>
          <p className="muted small">{embed.note}</p>
          <textarea
            className="input"
            rows={5}
            readOnly
            spellCheck={false}
            dir="ltr"
            aria-label={embed.label}
            value={embedCode}
          />
          <button type="button" className="button button--small js-only" onClick={() => void handleCopyCode()}>
            {embed.copy}
          </button>
        </details>
      )}
      {isCommunity(poll) && !poll.isMine && <ReportPoll poll={poll} />}
    </SideBox>
  );
}
