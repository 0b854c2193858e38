import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { CommunityPoll } from '#contract/community-poll.ts';
import type { PollProtection } from '#contract/vocabulary.ts';
import type { OwnDecision, OwnSuspiciousVotes } from '#contract/own-decisions.ts';
import { reasons } from '#domain/integrity/reasons.ts';
import { callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { formatCount, formatDay, formatMoment } from '#site/ui/format.ts';
import { VoteCluster } from '#site/ui/VoteCluster.tsx';
import { protectionNames } from '#texts/protection.ts';
import { suspiciousVotesTexts as texts } from '#texts/suspicious-votes.ts';
import styles from './CommunityPoll.module.css';
import { setPollInCache, sharedWithOthers } from './community-poll.ts';

const keyOf = (pollId: string) => ['ownDecisions', pollId];

/** For the creator: votes of the poll that look automated, the evidence, and what to do with them. Nothing without any. */
export function SuspiciousVotes({ pollId }: { readonly pollId: string }) {
  const id = useId();
  const { data } = useQuery(
    {
      queryKey: keyOf(pollId),
      queryFn: ({ signal }) => callApi('ownDecisions', { params: { id: pollId }, signal }),
      // The detector notices votes while the creator reads the page.
      ...sharedWithOthers,
    },
    queryClient(),
  );
  const { clusters, decisions, nextProtection } = data ?? { clusters: [], decisions: [], nextProtection: null };
  if (clusters.length + decisions.length === 0) return null;
  return (
    <section className={styles.box} aria-labelledby={id}>
      <h2 id={id} className={styles.boxHeading}>
        {texts.heading}
      </h2>
      <p className={styles.boxNote}>{texts.note}</p>
      {clusters.length > 0 && nextProtection !== null && <Raise pollId={pollId} to={nextProtection} />}
      <ol className={styles.decisions}>
        {clusters.map((cluster) => (
          <li key={cluster.id}>
            <VoteCluster cluster={cluster} />
            <Choices
              pollId={pollId}
              choices={{
                'set-aside': (note) =>
                  callApi('setOwnVotesAside', { params: { id: pollId }, body: { cluster: cluster.id, note } }),
              }}
            />
          </li>
        ))}
        {decisions.toReversed().map((decision) => (
          <Decision key={decision.number} pollId={pollId} decision={decision} />
        ))}
      </ol>
    </section>
  );
}

interface RaiseProps {
  readonly pollId: string;
  readonly to: PollProtection;
}

/** Requires more of the votes from now on. */
function Raise({ pollId, to }: RaiseProps) {
  const { mutate, isPending, error } = useMutation<CommunityPoll>(
    {
      mutationFn: () => callApi('editCommunityPoll', { params: { id: pollId }, body: { protection: to } }),
      onSuccess: async (poll) => {
        await setPollInCache(poll);
        await queryClient().invalidateQueries({ queryKey: keyOf(pollId) });
      },
    },
    queryClient(),
  );
  return (
    <>
      <p className={styles.boxNote}>{texts.raiseNote}</p>
      <div className={styles.buttons}>
        <button type="button" className="button" aria-disabled={isPending} onClick={() => isPending || mutate()}>
          {texts.raise(protectionNames[to])}
        </button>
      </div>
      {error && (
        <p className="muted small" role="alert">
          {failureSentence(error, texts.failed)}
        </p>
      )}
    </>
  );
}

interface DecisionProps {
  readonly pollId: string;
  readonly decision: OwnDecision;
}

function Decision({ pollId, decision }: DecisionProps) {
  const { number, state, votes, reason, evidence, expiresAt, madeAt } = decision;
  const decide = (action: 'set-aside' | 'release') => (note: string) =>
    callApi('decideOwnVotes', { params: { id: pollId, number: String(number) }, body: { action, note } });
  return (
    <li>
      <p>
        <strong>{texts.states[state](formatCount(votes), votes)}</strong> {reasons[reason]}.
      </p>
      <p className="muted small">
        {texts.evidence({
          ...evidence,
          from: evidence.from === null ? null : formatMoment(evidence.from),
          to: evidence.to === null ? null : formatMoment(evidence.to),
          noticed: formatDay(madeAt),
        })}
        {state === 'held' &&
          expiresAt !== null &&
          ` ${texts.expires(formatMoment(expiresAt), reason === 'unchecked-browser')}`}
      </p>
      {(state === 'held' || state === 'set-aside') && (
        <Choices
          pollId={pollId}
          choices={{ ...(state === 'held' && { 'set-aside': decide('set-aside') }), release: decide('release') }}
        />
      )}
    </li>
  );
}

interface ChoicesProps {
  readonly pollId: string;
  readonly choices: Readonly<Partial<Record<'set-aside' | 'release', (note: string) => Promise<OwnSuspiciousVotes>>>>;
}

/** A field for the reason, and a button for each possible decision. */
function Choices({ pollId, choices }: ChoicesProps) {
  const [note, setNote] = useState('');
  const noteId = useId();
  const { mutate, isPending, error } = useMutation(
    {
      mutationFn: (choose: (note: string) => Promise<OwnSuspiciousVotes>) => choose(note),
      onSuccess: async (all) => {
        queryClient().setQueryData(keyOf(pollId), all);
        await queryClient().invalidateQueries({ queryKey: queryKeys.communityPoll(pollId) });
      },
    },
    queryClient(),
  );
  return (
    <>
      <label className="field" htmlFor={noteId}>
        <span className="field__label">{texts.reason}</span>
        <input id={noteId} className="input" value={note} onChange={({ target }) => setNote(target.value)} />
      </label>
      <div className={styles.buttons}>
        {(['set-aside', 'release'] as const).map((name) => {
          const choose = choices[name];
          return (
            choose && (
              <button
                key={name}
                type="button"
                className="button"
                aria-disabled={isPending}
                onClick={() => mutate(choose)}
              >
                {texts[name]}
              </button>
            )
          );
        })}
      </div>
      {error && (
        <p className="muted small" role="alert">
          {failureSentence(error, texts.failed)}
        </p>
      )}
    </>
  );
}
