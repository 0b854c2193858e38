import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { ResponseOf } from '#contract/endpoints.ts';
import type { FlaggedPoll, LogAlerts } from '#contract/flags.ts';
import type { PollProtection } from '#contract/vocabulary.ts';
import { ActionDialog } from '#site/admin/ActionDialog.tsx';
import { useAddress } from '#site/admin/use-address.ts';
import { queryClient } from '#site/client/query-client.ts';
import { reasons } from '#domain/integrity/reasons.ts';
import { Field } from '#site/ui/Field.tsx';
import { FlaggedVotes, NoteField } from '#site/ui/FlaggedVotes.tsx';
import { formatMoment } from '#site/ui/format.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { protectionNames } from '#texts/protection.ts';
import { flaggedPollTexts as texts, flagTexts } from '#texts/flags.ts';
import styles from '#site/admin/Admin.module.css';
import { adminKey, callAdmin } from '#site/admin/admin-session.ts';
import { AdminSection, Loaded } from '#site/admin/AdminSection.tsx';

/** Milliseconds between refetches: the detector runs once a minute. */
const refetchMs = 60_000;

/** Polls with flagged votes, and what the operator can do about them. */
export function Integrity() {
  const [address, setAddress] = useAddress();
  const wanted = /^[\w-]{1,80}$/.exec(address.get('poll') ?? '')?.[0];
  const query = useQuery(
    {
      queryKey: [...adminKey, 'flags', wanted],
      queryFn: ({ signal }) => callAdmin('flaggedPolls', { signal, query: { poll: wanted } }),
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
                  <li key={poll.id} className={styles.stack}>
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

/** Adds any poll to the list, also one that nothing is flagged on. */
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

/** What the operator is about to do besides deciding about votes. */
type Step =
  | { readonly kind: 'challenge'; readonly to: FlaggedPoll['challenge'] }
  | { readonly kind: 'raise'; readonly to: PollProtection };

function Entry({ poll }: { readonly poll: FlaggedPoll }) {
  const { id, kind, question, figures, protection, nextProtection } = poll;
  const [step, setStep] = useState<Step>();
  const params = { id };
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
            {figures.burst && (
              <>
                <br />
                <RelativeTime moment={new Date(figures.burst.minute * 60_000).toISOString()} />
                {': '}
                {texts.burst(figures.burst)}
              </>
            )}
          </>
        )}
      </p>
      <ChallengeSwitch poll={poll} onStep={setStep} />
      <p className={styles.actions}>
        <span className="muted small">{texts.protection(protectionNames[protection])}</span>
        {nextProtection !== null && (
          <button
            type="button"
            className="button button--small"
            onClick={() => setStep({ kind: 'raise', to: nextProtection })}
          >
            {texts.raise(protectionNames[nextProtection])}
          </button>
        )}
      </p>
      <FlaggedVotes
        shown={poll}
        decideFlag={(body) => callAdmin('decideFlag', { params, body })}
        decideVotes={(number, body) => callAdmin('decideVotes', { params: { ...params, number }, body })}
        Dialog={ActionDialog}
      />
      {step && <StepDialog pollId={id} step={step} onClose={() => setStep(undefined)} />}
    </>
  );
}

interface SwitchProps {
  readonly poll: FlaggedPoll;
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
            onChange={({ target }) => onStep({ kind: 'challenge', to: target.value as FlaggedPoll['challenge'] })}
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

interface StepDialogProps {
  readonly pollId: string;
  readonly step: Step;
  readonly onClose: () => void;
}

/** Asks for a confirmation with a note. */
function StepDialog({ pollId, step, onClose }: StepDialogProps) {
  const [note, setNote] = useState('');
  const { title, confirm, done } = texts.dialog[step.kind];
  const params = { id: pollId };
  const action = async () => {
    if (step.kind === 'challenge') await callAdmin('switchChallenge', { params, body: { challenge: step.to, note } });
    else await callAdmin('raiseProtection', { params, body: { protection: step.to, note } });
    return done;
  };
  const text =
    step.kind === 'challenge'
      ? texts.dialog.challenge.text(texts.switches[step.to])
      : texts.dialog.raise.text(protectionNames[step.to]);
  return (
    <ActionDialog {...{ title, text, confirm, action, onClose }} cancel={flagTexts.cancel}>
      <NoteField note={note} onNote={setNote} />
    </ActionDialog>
  );
}

/** The newest integrity actions: who, when, what, why. */
function ActionLog({ actions }: { readonly actions: ResponseOf<'flaggedPolls'>['actions'] }) {
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
              {reason !== null && `, ${reasons[reason]}`}
              {note !== '' && <bdi>, {note}</bdi>}
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
