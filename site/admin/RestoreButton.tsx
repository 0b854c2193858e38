import { formatMoment } from '#site/ui/format.ts';
import { versionTexts } from '#texts/admin.ts';

interface RestoreButtonProps {
  /** When the version was made. */
  readonly at: string;
  readonly pending?: boolean;
  readonly onClick: () => void;
}

/** Restores an earlier version of a text or a poll. */
export function RestoreButton({ at, pending = false, onClick }: RestoreButtonProps) {
  return (
    <button
      type="button"
      className="button button--small"
      aria-label={versionTexts.restoreName(formatMoment(at))}
      aria-disabled={pending}
      onClick={() => pending || onClick()}
    >
      {versionTexts.restore}
    </button>
  );
}
