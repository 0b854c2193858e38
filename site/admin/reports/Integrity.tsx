import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { ResponseOf } from '#contract/endpoints.ts';
import type { LogAlerts, Suspicion, VoteCluster as Cluster, VoteDecision } from '#contract/suspicion.ts';
import type { PollProtection } from '#contract/vocabulary.ts';
import { ActionDialog } from '#site/admin/ActionDialog.tsx';
import { useAddress } from '#site/admin/use-address.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Field } from '#site/ui/Field.tsx';
import { formatMoment } from '#site/ui/format.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { VoteCluster } from '#site/ui/VoteCluster.tsx';
import { protectionNames } from '#texts/protection.ts';
import { clusterTexts, suspicionTexts as texts } from '#texts/suspicion.ts';
import styles from '#site/admin/Admin.module.css';
import { adminKey, callAdmin } from '#site/admin/admin-session.ts';
import { AdminSection, Loaded } from '#site/admin/AdminSection.tsx';

/** Milliseconds between refetches: the detector runs once a minute. */
const refetchMs = 60_000;

export const suspicionsKey = [...adminKey, 'suspicions'];

/** Polls under suspicion with the evidence, and what the operator can do about them. */
export function Integrity() {
  const [address, setAddress] = useAddress();
  const wanted = /^[\w-]{1,80}$/.exec(address.get('poll') ?? '')?.[0];
  const query = useQuery(
    {
      queryKey: [...suspicionsKey, wanted],
      queryFn: ({ signal }) => callAdmin('suspicions', { signal, query: { poll: wanted } }),
      placeholderData: keepPreviousData,
      refetchInterval: refetchMs,
    },
    queryClient(),
  );
  return (
    <AdminSection anchor="integrity" heading={texts.heading} text={texts.text}>
      <Loaded query={query}>
        {({ polls, actions, log }) => (
          <>
            <Alerts log={log} />
            <FindPoll
              isMissing={wanted !== undefined && !query.isPlaceholderData && !polls.some(({ id }) => id === wanted)}
              onFind={(poll) => setAddress({ poll: poll ?? null })}
            />
            {polls.length === 0 ? (
              <p className="muted">{texts.none}</p>
            ) : (
              <ul className={styles.list}>
                {polls.map((poll) => (
                  <li key={poll.id} className={styles.suspicion}>
                    <Entry poll={poll} />
                  </li>
                ))}
              </ul>
            )}
            <ActionLog actions={actions} />
          </>
        )}
      </Loaded>
    </AdminSection>
  );
}

interface FindPollProps {
  readonly isMissing: boolean;
  readonly onFind: (id: string | undefined) => void;
}

/** Adds any poll to the list: those that aren’t under suspicion are in none. */
function FindPoll({ isMissing, onFind }: FindPollProps) {
  const id = useId();
  const [isWrong, setWrong] = useState(false);
  return (
    <form
      className={styles.feature}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget).get('poll');
        const text = typeof typed === 'string' ? typed.trim() : '';
        const found = /(?:^|\/(?:poll|community-polls)\/)([\w-]{1,80})(?:[/?#].*)?$/.exec(text)?.[1];
        setWrong(text !== '' && found === undefined);
        onFind(found);
      }}
    >
      <Field
        id={id}
        label={texts.find}
        hint={texts.findHint}
        problem={isWrong || isMissing ? texts.notFound : undefined}
      >
        {(control) => <input {...control} className="input" name="poll" autoComplete="off" spellCheck={false} />}
      </Field>
      <button type="submit" className="button">
        {texts.show}
      </button>
    </form>
  );
}

/** Alerts about the vote log; nothing if all is well. */
function Alerts({ log }: { readonly log: LogAlerts }) {
  const alerts = texts.alerts(log);
  if (alerts.length === 0) return null;
  return (
    <div className={`${styles.outcome} ${styles.outcomeFailed}`} role="alert">
      {alerts.map((alert) => (
        <p key={alert}>{alert}</p>
      ))}
      <p className="small">{texts.alertAdvice}</p>
    </div>
  );
}

/** What the operator is about to do. */
type Step =
  | { readonly kind: 'setAside' | 'hold'; readonly cluster: Cluster }
  | { readonly kind: 'confirm' | 'release'; readonly decision: VoteDecision }
  | { readonly kind: 'challenge'; readonly to: Suspicion['challenge'] }
  | { readonly kind: 'raise'; readonly to: PollProtection };

function Entry({ poll }: { readonly poll: Suspicion }) {
  const { id, kind, question, figures, clusters, decisions } = poll;
  const [step, setStep] = useState<Step>();
  return (
    <>
      <p className={styles.content}>
        {question === null ? (
          texts.private
        ) : (
          <a href={`/${kind === 'poll' ? 'poll' : 'community-polls'}/${id}`} dir="auto">
            {question}
          </a>
        )}
      </p>
      <p className="muted small">
        {texts.totals(poll)}
        {figures && (
          <>
            <br />
            {texts.figures(figures)}
            <br />
            {texts.shares(figures)}
            {figures.burst && (
              <>
                <br />
                <RelativeTime moment={new Date(figures.burst.minute * 60_000).toISOString()} />{' '}
                {texts.burst(figures.burst)}
              </>
            )}
          </>
        )}
      </p>
      <ChallengeSwitch poll={poll} onStep={setStep} />
      <p className={styles.actions}>
        <span className="muted small">{texts.protection(protectionNames[poll.protection])}</span>
        {poll.nextProtection !== null && (
          <button
            type="button"
            className="button button--small"
            onClick={() => setStep({ kind: 'raise', to: poll.nextProtection! })}
          >
            {texts.raise(protectionNames[poll.nextProtection])}
          </button>
        )}
      </p>
      {clusters.map((cluster, place) => (
        <div key={place}>
          <VoteCluster cluster={cluster} />
          {cluster.counted > 0 && (
            <p className={styles.actions}>
              {(['setAside', 'hold'] as const).map((action) => (
                <button
                  key={action}
                  type="button"
                  className="button button--small"
                  aria-label={texts[`${action}Name`](clusterTexts.reasons[cluster.reason])}
                  onClick={() => setStep({ kind: action, cluster })}
                >
                  {texts[action]}
                </button>
              ))}
            </p>
          )}
        </div>
      ))}
      {decisions.length > 0 && <Decisions decisions={decisions} onStep={setStep} />}
      {step && <StepDialog pollId={id} step={step} onClose={() => setStep(undefined)} />}
    </>
  );
}

interface SwitchProps {
  readonly poll: Suspicion;
  readonly onStep: (step: Step) => void;
}

function ChallengeSwitch({ poll: { challenge, challengedUntil }, onStep }: SwitchProps) {
  const fieldId = useId();
  return (
    <>
      <Field id={fieldId} label={texts.challenge} hint={texts.challengeHint}>
        {(control) => (
          <select
            {...control}
            className="input"
            value={challenge}
            onChange={({ target }) => onStep({ kind: 'challenge', to: target.value as Suspicion['challenge'] })}
          >
            {Object.entries(texts.switches).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      {challenge === 'auto' && challengedUntil !== null && (
        <p className="muted small">
          {texts.checkedUntil} <time dateTime={challengedUntil}>{formatMoment(challengedUntil)}</time>
        </p>
      )}
    </>
  );
}

interface DecisionsProps {
  readonly decisions: readonly VoteDecision[];
  readonly onStep: (step: Step) => void;
}

function Decisions({ decisions, onStep }: DecisionsProps) {
  return (
    <ul className={styles.list} aria-label={texts.decisions}>
      {decisions.map((decision) => {
        const { number, state, reason, madeBy, madeAt, expiresAt } = decision;
        return (
          <li key={number} className={styles.entry}>
            <div className="small">
              <p>
                {texts.decision(decision)} {texts.states[state]}
              </p>
              <p className="muted">
                {clusterTexts.reasons[reason]}, {texts.madeBy(madeBy)}, <RelativeTime moment={madeAt} />
              </p>
              {state === 'held' && expiresAt !== null && (
                <p className="muted">
                  {texts.expires[reason === 'unchecked-browser' ? 'unchecked' : 'counted']}{' '}
                  <time dateTime={expiresAt}>{formatMoment(expiresAt)}</time>
                </p>
              )}
            </div>
            {(state === 'held' || state === 'set-aside') && (
              <p className={styles.actions}>
                {state === 'held' && (
                  <button
                    type="button"
                    className="button button--small"
                    aria-label={texts.confirmName(number)}
                    onClick={() => onStep({ kind: 'confirm', decision })}
                  >
                    {texts.confirm}
                  </button>
                )}
                <button
                  type="button"
                  className="button button--small"
                  aria-label={texts.releaseName(number)}
                  onClick={() => onStep({ kind: 'release', decision })}
                >
                  {texts.release}
                </button>
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}

interface StepDialogProps {
  readonly pollId: string;
  readonly step: Step;
  readonly onClose: () => void;
}

/** Asks for a confirmation with a note, and for the reason of a new decision. */
function StepDialog({ pollId, step, onClose }: StepDialogProps) {
  const id = useId();
  const [reason, setReason] = useState<Cluster['reason']>('cluster' in step ? step.cluster.reason : 'operator-test');
  const [note, setNote] = useState('');
  const { title, confirm } = texts.dialog[step.kind];
  const action = async () => {
    if ('cluster' in step) {
      const body = { criteria: step.cluster.criteria, reason, note, hold: step.kind === 'hold' };
      const { votes } = await callAdmin('setVotesAside', { params: { id: pollId }, body });
      return votes === undefined ? texts.stillMarking : texts.dialog[step.kind].done(votes);
    }
    if (step.kind === 'challenge') {
      await callAdmin('switchChallenge', { params: { id: pollId }, body: { challenge: step.to, note } });
      return texts.dialog.challenge.done;
    }
    if (step.kind === 'raise') {
      await callAdmin('raiseProtection', { params: { id: pollId }, body: { protection: step.to, note } });
      return texts.dialog.raise.done;
    }
    const decision = step.kind === 'confirm' ? 'set-aside' : 'release';
    const params = { id: pollId, number: String(step.decision.number) };
    await callAdmin('decideVotes', { params, body: { decision, note } });
    return texts.dialog[step.kind].done(step.decision.votes);
  };
  return (
    <ActionDialog {...{ title, confirm, action, onClose }} text={textOf(step)} cancel={texts.cancel}>
      {'cluster' in step && (
        <Field id={`${id}-reason`} label={texts.reason} hint={texts.reasonHint}>
          {(control) => (
            <select
              {...control}
              className="input"
              value={reason}
              onChange={({ target }) => setReason(target.value as Cluster['reason'])}
            >
              {Object.entries(clusterTexts.reasons).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field id={`${id}-note`} label={texts.note} note={texts.optional} hint={texts.noteHint}>
        {(control) => (
          <input {...control} className="input" value={note} onChange={({ target }) => setNote(target.value)} />
        )}
      </Field>
    </ActionDialog>
  );
}

function textOf(step: Step): string {
  if (step.kind === 'challenge') return texts.dialog.challenge.text(texts.switches[step.to]);
  if (step.kind === 'raise') return texts.dialog.raise.text(protectionNames[step.to]);
  return texts.dialog[step.kind].text('cluster' in step ? step.cluster.counted : step.decision.votes);
}

/** The newest integrity actions: who, when, what, why. */
function ActionLog({ actions }: { readonly actions: ResponseOf<'suspicions'>['actions'] }) {
  return (
    <details>
      <summary>{texts.log}</summary>
      {actions.length === 0 ? (
        <p className="muted">{texts.noLog}</p>
      ) : (
        <ul className={styles.list}>
          {actions.map(({ at, actor, action, pollId, reason, votes, note }, place) => (
            <li key={place} className="small">
              <time dateTime={at}>{formatMoment(at)}</time> {actor}: {texts.logActions[action]}
              {votes > 0 && `, ${texts.logEntry(votes)}`}, <code>{pollId}</code>
              {reason !== null && `, ${clusterTexts.reasons[reason]}`}
              {note !== '' && <bdi>, {note}</bdi>}
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
