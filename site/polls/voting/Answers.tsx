import { useQuery } from '@tanstack/react-query';
import type { Poll } from '#api/polls/polls.contract.ts';
import { queryClient } from '#site/client/query-client.ts';

/** Id of the summary of a visitor’s answers. */
export const answersId = 'your-answers';

/** The summary of a visitor’s answers, loaded once the last of these polls is answered. */
export function Answers({ polls, className = '' }: { readonly polls: readonly Poll[]; readonly className?: string }) {
  const isShown = polls.length > 1 && polls.every(({ hasVoted }) => hasVoted);
  const { data: part } = useQuery(
    { queryKey: ['answerSummary'], queryFn: () => import('./AnswerSummary.tsx'), enabled: isShown },
    queryClient(),
  );
  if (!isShown || part === undefined) return null;
  return (
    <div id={answersId} className={className} tabIndex={-1}>
      <part.AnswerSummary polls={polls} />
    </div>
  );
}
