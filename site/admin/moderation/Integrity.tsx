import { useState } from 'react';
import type { ResponseOf } from '#api/endpoints.contract.ts';
import type { FlaggedPoll, LogAlerts } from '#api/integrity/flags.contract.ts';
import type { PollProtection } from '#contract/vocabulary.ts';
import { ActionDialog } from '#site/admin/ActionDialog.tsx';
import { pollIdIn } from '#site/admin/poll-id-in.ts';
import { useAddress } from '#site/admin/use-address.ts';
import { reasons } from '#domain/integrity/reasons.ts';
import { FlaggedVotes } from '#site/ui/FlaggedVotes.tsx';
import { formatMoment } from '#site/ui/format.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { choicesIn, SelectField } from '#site/ui/SelectField.tsx';
import { protectionNames } from '#texts/protection.ts';
import { flaggedPollTexts as texts, flagTexts } from '#texts/flags.ts';
import styles from '#site/admin/Admin.module.css';
import { callAdmin } from '#site/admin/admin-session.ts';
import { AdminForm, FormDialog } from '#site/admin/AdminForm.tsx';
import { Rows, useAdminQuery } from '#site/admin/AdminList.tsx';
import { AdminSection, Loaded } from '#site/admin/AdminSection.tsx';

/** Milliseconds between refetches: the detector runs once a minute. */
const refetchMs = 60_000;

const idIn = (typed: string) => pollIdIn(typed, 'poll|community-polls');

/** Polls with flagged votes, and what the operator can do about them. */
export function Integrity() {
  const [address, setAddress] = useAddress();
  const wanted = /^[\w-]{1,80}$/.exec(address.get('poll') ?? '')?.[0];
  const query = useAdminQuery('flaggedPolls', { query: { poll: wanted }, refetch: () => refetchMs });
  const isMissing = (polls: readonly FlaggedPoll[]) =>
    wanted !== undefined && !query.isPlaceholderData && !polls.some(({ id }) => id === wanted);
  return (
    <AdminSection anchor="integrity" heading={texts.heading} text={texts.text}>
      <Loaded query={query}>
        {({ polls, actions, log }) => (
          <>
            <Alerts log={log} />
            <AdminForm
              className={styles.feature}
              fields={[
                {
                  ...{ name: 'poll', label: texts.find, hint: texts.findHint },
                  wrong: (text) => (idIn(text) === null ? texts.notFound : undefined),
                  problem: isMissing(polls) ? texts.notFound : undefined,
                  input: { autoComplete: 'off', spellCheck: false },
                },
              ]}
              submit={texts.show}
              send={(field) => {
                setAddress({ poll: idIn(field('poll')) });
              }}
            />
            <Rows rows={polls} keyOf={({ id }) => id} empty={texts.none} row={(poll) => <Entry poll={poll} />} />
            <ActionLog actions={actions} />
          </>
        )}
      </Loaded>
    </AdminSection>
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
    <li className={styles.stack}>
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
    </li>
  );
}

interface SwitchProps {
  readonly poll: FlaggedPoll;
  readonly onStep: (step: Step) => void;
}

function ChallengeSwitch({ poll: { challenge, challengedUntil }, onStep }: SwitchProps) {
  return (
    <>
      <SelectField
        label={texts.challenge}
        hint={texts.challengeHint}
        value={challenge}
        choices={choicesIn(texts.switches)}
        onChange={(to) => onStep({ kind: 'challenge', to })}
      />
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
  const { title, confirm, done } = texts.dialog[step.kind];
  const params = { id: pollId };
  const text =
    step.kind === 'challenge'
      ? texts.dialog.challenge.text(texts.switches[step.to])
      : texts.dialog.raise.text(protectionNames[step.to]);
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      cancel={flagTexts.cancel}
      text={text}
      fields={[{ name: 'note', label: flagTexts.note, note: flagTexts.optional, hint: flagTexts.noteHint }]}
      submit={confirm}
      send={async (field) => {
        const note = field('note');
        if (step.kind === 'challenge')
          await callAdmin('switchChallenge', { params, body: { challenge: step.to, note } });
        else await callAdmin('raiseProtection', { params, body: { protection: step.to, note } });
        return done;
      }}
    />
  );
}

/** The newest integrity actions: who, when, what, why. */
function ActionLog({ actions }: { readonly actions: ResponseOf<'flaggedPolls'>['actions'] }) {
  return (
    <details>
      <summary>{texts.log}</summary>
      <Rows
        rows={actions}
        keyOf={(action) => actions.indexOf(action)}
        empty={texts.noLog}
        row={({ at, actor, action, pollId, reason, votes, note }) => (
          <li className="small">
            <time dateTime={at}>{formatMoment(at)}</time> {actor}: {texts.logActions[action]}
            {votes > 0 && `, ${texts.logEntry(votes)}`}, <code>{pollId}</code>
            {reason !== null && `, ${reasons[reason]}`}
            {note !== '' && <bdi>, {note}</bdi>}
          </li>
        )}
      />
    </details>
  );
}
