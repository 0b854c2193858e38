import { useId, useState } from 'react';
import type { ComponentType } from 'react';
import type { BodyOf, ResponseOf } from '#api/endpoints.contract.ts';
import type { Flag, FlaggedVotes as Votes, VoteDecision } from '#api/integrity/flags.contract.ts';
import { reasons, writtenReason } from '#domain/integrity/reasons.ts';
import type { GivenReason } from '#domain/integrity/reasons.ts';
import { flagTexts as texts } from '#texts/flags.ts';
import { CountBars } from './CountBars.tsx';
import type { ActionDialogProps } from './Dialog.tsx';
import { Field } from './Field.tsx';
import styles from './FlaggedVotes.module.css';
import { formatDay, formatMoment } from './format.ts';

/** What someone is about to do about votes. */
type Act =
  | { readonly kind: 'set-aside' | 'hold' | 'genuine'; readonly votes: number; readonly flag: Flag }
  | { readonly kind: 'set-aside' | 'release'; readonly votes: number; readonly decision: VoteDecision };

interface FlaggedVotesProps {
  readonly shown: Pick<Votes, 'flags' | 'decisions'>;
  readonly decideFlag: (body: BodyOf<'decideFlag'>) => Promise<ResponseOf<'decideFlag'>>;
  readonly decideVotes: (number: string, body: BodyOf<'decideVotes'>) => Promise<unknown>;
  readonly Dialog: ComponentType<ActionDialogProps>;
}

/** Flagged votes with the evidence, votes that are held or set aside, and what their operator or creator can do about them. */
export function FlaggedVotes({ shown: { flags, decisions }, ...calls }: FlaggedVotesProps) {
  const [act, setAct] = useState<Act>();
  return (
    <>
      <ol className={styles.list}>
        {flags.map((flag) => (
          <li key={flag.id}>
            <Evidence flag={flag} />
            {flag.counted > 0 && (
              <Acts
                about={reasons[flag.reason]}
                acts={answers(flag).map((kind) => ({ kind, votes: flag.counted, flag }))}
                onAct={setAct}
              />
            )}
          </li>
        ))}
        {decisions.map((decision) => (
          <li key={decision.number}>
            <Decision decision={decision} />
            <Acts
              about={texts.decision(decision.number)}
              acts={possible[decision.state].map((kind) => ({ kind, votes: decision.votes, decision }))}
              onAct={setAct}
            />
          </li>
        ))}
      </ol>
      {act && <DecideDialog act={act} {...calls} onClose={() => setAct(undefined)} />}
    </>
  );
}

/** What can be done about flagged votes. */
const answers = ({ genuine }: Flag) => ['set-aside', 'hold', ...(genuine ? [] : ['genuine' as const])] as const;

/** What can be done about the votes of a decision. */
const possible = {
  held: ['set-aside', 'release'],
  'set-aside': ['release'],
  released: [],
  expired: [],
} as const satisfies Record<VoteDecision['state'], readonly Act['kind'][]>;

interface ActsProps {
  readonly about: string;
  readonly acts: readonly Act[];
  readonly onAct: (act: Act) => void;
}

function Acts({ about, acts, onAct }: ActsProps) {
  if (acts.length === 0) return null;
  return (
    <p className={styles.acts}>
      {acts.map((act) => (
        <button
          key={act.kind}
          type="button"
          className="button button--small"
          aria-label={`${texts.acts[act.kind].confirm}: ${about}`}
          onClick={() => onAct(act)}
        >
          {texts.acts[act.kind].confirm}
        </button>
      ))}
    </p>
  );
}

/** What was flagged, when the votes came, and the evidence, strongest first. */
function Evidence({ flag }: { readonly flag: Flag }) {
  const { votes, step } = flag.chart;
  const signals = flag.signals.toSorted((a, b) => b.strength - a.strength);
  return (
    <>
      <p>
        <strong>{flag.genuine ? texts.genuine : texts.flagged}</strong> {reasons[flag.reason]}.{' '}
        <span className="muted figure">{texts.score(flag.score)}</span>
      </p>
      <p dir="auto">{texts.votes(flag.votes, flag.counted, flag.option)}</p>
      <CountBars counts={votes} label={texts.chart(Math.max(1, ...votes), step)} />
      <ul className={styles.signals} aria-label={texts.evidence}>
        {signals.map((signal) => (
          <li key={signal.kind}>{texts.signals[signal.kind](signal)}</li>
        ))}
      </ul>
    </>
  );
}

function Decision({ decision }: { readonly decision: VoteDecision }) {
  const { state, votes, reason, evidence, expiresAt, madeBy, madeAt } = decision;
  const at = (moment: string | null) => (moment === null ? null : formatMoment(moment));
  const made = { madeBy, madeOn: formatDay(madeAt), from: at(evidence.from), to: at(evidence.to) };
  return (
    <>
      <p>
        <strong>{texts.states[state](votes)}</strong> {reasons[reason]}.
      </p>
      <p className="muted">
        {texts.decided({ ...evidence, ...made })}
        {state === 'held' &&
          expiresAt !== null &&
          ` ${texts.expires(formatMoment(expiresAt), reason === 'unchecked-browser')}`}
      </p>
    </>
  );
}

interface DecideDialogProps extends Omit<FlaggedVotesProps, 'shown'> {
  readonly act: Act;
  readonly onClose: () => void;
}

/** Asks for a confirmation with a note, and for the reason of a new decision. */
function DecideDialog({ act, decideFlag, decideVotes, Dialog, onClose }: DecideDialogProps) {
  const id = useId();
  const [reason, setReason] = useState<GivenReason>(
    'flag' in act && act.flag.reason !== writtenReason ? act.flag.reason : 'operator-test',
  );
  const [note, setNote] = useState('');
  const { title, confirm, text, done } = texts.acts[act.kind];
  const action = async () => {
    if ('flag' in act) {
      const { votes } = await decideFlag({ flag: act.flag.id, reason, note, action: act.kind });
      return votes === undefined ? texts.stillMarking : done(votes);
    }
    await decideVotes(String(act.decision.number), { action: act.kind, note });
    return done(act.votes);
  };
  return (
    <Dialog {...{ title, confirm, action, onClose }} text={text(act.votes)} cancel={texts.cancel}>
      {'flag' in act && act.kind !== 'genuine' && (
        <Field id={`${id}-reason`} label={texts.reason} hint={texts.reasonHint}>
          {(control) => (
            <select
              {...control}
              className="input"
              value={reason}
              onChange={({ target }) => setReason(target.value as GivenReason)}
            >
              {Object.entries(reasons).map(
                ([value, label]) =>
                  value !== writtenReason && (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ),
              )}
            </select>
          )}
        </Field>
      )}
      <NoteField note={note} onNote={setNote} />
    </Dialog>
  );
}

/** Why somebody does something, for the log. */
function NoteField({ note, onNote }: { readonly note: string; readonly onNote: (note: string) => void }) {
  return (
    <Field id={useId()} label={texts.note} note={texts.optional} hint={texts.noteHint}>
      {(control) => (
        <input {...control} className="input" value={note} onChange={({ target }) => onNote(target.value)} />
      )}
    </Field>
  );
}
