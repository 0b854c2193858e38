import { RetryButton } from '#site/client/RetryButton.tsx';
import { Notice } from '#site/ui/Notice.tsx';
import { memberPageTexts } from '#texts/profile.ts';

interface FailedProps {
  readonly title: string;
  /** A new try is under way. */
  readonly pending: boolean;
  readonly level?: 1 | 2 | 3;
}

/** What stands in the place of something that could not be fetched. */
export function Failed({ title, pending, level = 2 }: FailedProps) {
  return (
    <Notice failed title={title} text={memberPageTexts.failed.text} level={level}>
      <RetryButton pending={pending} />
    </Notice>
  );
}

/** Says under what is shown that it could not be asked for anew. */
export function Stale({ pending }: { readonly pending: boolean }) {
  return (
    <div className="row" role="alert">
      <p>{memberPageTexts.failed.stale}</p>
      <RetryButton pending={pending} small />
    </div>
  );
}
