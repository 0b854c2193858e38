import { lazy } from 'react';

/** What browsers have in place of `BallotNotes.tsx`, by the import `#site/polls/voting/notes`: they load it with a poll that needs it. */
export default lazy(() => import('./BallotNotes.tsx'));
