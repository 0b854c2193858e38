import { Suspense, lazy, useState } from 'react';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { hasAccountHint } from '#site/client/account-hint.ts';
import { reportTexts as texts } from '#texts/reporting.ts';

const ReportDialog = lazy(() =>
  import('#site/client/ReportDialog.tsx').then((module) => ({ default: module.ReportDialog })),
);

interface ReportPollProps {
  readonly poll: Pick<CommunityPoll, 'id' | 'createdByUsername'>;
}

/** Reports a poll to the moderators; the dialog is loaded when it is opened. */
export function ReportPoll({ poll: { id, createdByUsername } }: ReportPollProps) {
  const [state, setState] = useState<'closed' | 'open' | 'reported'>('closed');
  const isDone = state === 'reported';
  return (
    <>
      <button
        type="button"
        className="button button--small js-only"
        aria-disabled={isDone}
        onClick={() => isDone || setState('open')}
      >
        {isDone ? texts.reported : texts.pollButton}
      </button>
      {state === 'open' && (
        <Suspense>
          <ReportDialog
            pollId={id}
            signedIn={hasAccountHint()}
            hasAuthor={createdByUsername !== null}
            onReported={() => setState('reported')}
            onClose={() => setState('closed')}
          />
        </Suspense>
      )}
    </>
  );
}
