import { shareLink, shareMessage } from './share.ts';
import { toast } from './toasts.ts';
import { shareTexts } from '#texts/sharing.ts';

interface ShareButtonProps {
  readonly title: string;
  readonly url: string;
  /** The island is awake: until then a press would be lost without a word. */
  readonly ready: boolean;
  readonly className?: string | undefined;
}

/** Hands a link to the system's share sheet, or copies it where there is none. ShareButton.astro is the same without React. */
export function ShareButton({ title, url, ready, className = '' }: ShareButtonProps) {
  const handlePress = async () => {
    const message = shareMessage(await shareLink({ title, url }));
    if (message !== null) toast(message);
  };
  return (
    <button
      type="button"
      className={`button js-only ${className}`}
      disabled={!ready}
      onClick={() => void handlePress()}
    >
      {shareTexts.share}
    </button>
  );
}
