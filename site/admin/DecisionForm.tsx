import { useId, useRef, useState } from 'react';
import type { BodyOf, ResponseOf } from '#contract/endpoints.ts';
import type { Reported } from '#contract/moderation.ts';
import type { ModerationAction, ReportedKind } from '#contract/vocabulary.ts';
import { DialogActions } from '#site/ui/Dialog.tsx';
import { Field } from '#site/ui/Field.tsx';
import { toast } from '#site/ui/toasts.ts';
import { queueTexts as texts } from '#texts/admin-moderation.ts';
import styles from './Admin.module.css';
import listStyles from './AdminLists.module.css';
import { adminErrorMessage, callAdmin, refreshAdmin, useAdminMutation } from './admin-session.ts';
import { ReasonField, reasonIn } from './ReasonField.tsx';

const actionsOf: Readonly<Record<ReportedKind, readonly ModerationAction[]>> = {
  comment: ['hide', 'delete', 'suspend', 'dismiss', 'show', 'lift'],
  poll: ['hide', 'close', 'delete', 'suspend', 'dismiss', 'show', 'lift'],
  member: ['suspend', 'dismiss', 'lift'],
};
/** Lengths of suspensions in days; 0: for good. */
const periods = [1, 7, 30, 90, 0] as const;
type Scope = Required<BodyOf<'moderate'>>['scope'];

interface DecisionFormProps {
  readonly selected: readonly Pick<Reported, 'kind' | 'id'>[];
  readonly onDone: () => void;
  /** One member, with the actions that fit; without it, all actions that fit what is selected. */
  readonly member?: { readonly actions: readonly ModerationAction[]; readonly onCancel: () => void };
}

/** Decides about the selected entries: what to do, to what else, and why. */
export function DecisionForm({ selected, onDone, member }: DecisionFormProps) {
  const id = useId();
  const kinds = [...new Set(selected.map(({ kind }) => kind))];
  const actions =
    member?.actions ??
    (kinds.length === 0
      ? actionsOf.poll
      : actionsOf[kinds[0]!].filter((one) => kinds.every((kind) => actionsOf[kind].includes(one))));
  const [wanted, setAction] = useState<ModerationAction>('hide');
  const action = actions.includes(wanted) ? wanted : (actions[0] ?? 'dismiss');
  const [days, setDays] = useState(7);
  const [scope, setScope] = useState<Scope>('each');
  const form = useRef<HTMLFormElement>(null);
  const [missing, setMissing] = useState<'selection' | 'reason'>();
  const decide = useAdminMutation(
    async (reason: string) => {
      const sum = { changed: 0, unchanged: 0, missing: 0 };
      for (const kind of kinds) {
        const ids = selected.filter((one) => one.kind === kind).map((one) => one.id);
        const counts = await callAdmin('moderate', {
          body: {
            ...{ action, kind, ids, reason, scope: action === 'dismiss' ? 'each' : scope },
            ...(action === 'suspend' && days > 0 && { days }),
          },
        });
        for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += counts[key];
      }
      return sum;
    },
    async (sum) => {
      toast(texts.done(sum));
      form.current?.reset();
      onDone();
      await refreshAdmin();
    },
  );
  const submit = (label: string) => (
    <button type="submit" className="button button--primary" aria-disabled={decide.isPending}>
      {label}
    </button>
  );
  return (
    <form
      ref={form}
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const reason = reasonIn(new FormData(event.currentTarget));
        const found = selected.length === 0 ? 'selection' : reason === '' ? 'reason' : undefined;
        setMissing(found);
        if (found === undefined && !decide.isPending) decide.mutate(reason);
      }}
    >
      <div className={styles.actions}>
        {actions.length > 1 && (
          <Choice
            id={`${id}-action`}
            label={texts.action}
            value={action}
            options={actions.map((one) => [one, texts.actions[one]])}
            onChange={(value) => setAction(value as ModerationAction)}
          />
        )}
        {action === 'suspend' && (
          <Choice
            id={`${id}-days`}
            label={texts.days}
            value={String(days)}
            options={periods.map((one) => [String(one), one === 0 ? texts.forGood : texts.dayCounts(one)])}
            onChange={(value) => setDays(Number(value))}
          />
        )}
        {action !== 'dismiss' && (
          <Choice
            id={`${id}-scope`}
            label={texts.scope}
            value={scope}
            options={Object.entries(member ? texts.memberScopes : texts.scopes)}
            onChange={(value) => setScope(value as Scope)}
          />
        )}
      </div>
      {scope !== 'each' && action !== 'dismiss' && <Extent selected={selected} />}
      <ReasonField
        id={`${id}-reason`}
        label={member ? texts.memberReasonLabel : texts.reasonLabel}
        problem={missing === 'reason' ? texts.noReason : undefined}
      />
      {missing === 'selection' && selected.length === 0 && (
        <p className={listStyles.problem} role="alert">
          {texts.noSelection}
        </p>
      )}
      {member && decide.error && (
        // A dialog covers notifications.
        <p className={listStyles.problem} role="alert">
          {adminErrorMessage(decide.error)}
        </p>
      )}
      {member ? (
        <DialogActions>
          <button type="button" className="button" onClick={member.onCancel}>
            {texts.cancel}
          </button>
          {submit(texts.actions[action])}
        </DialogActions>
      ) : (
        <div>{submit(texts.confirm(selected.length))}</div>
      )}
    </form>
  );
}

interface ChoiceProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ id, label, value, options, onChange }: ChoiceProps) {
  return (
    <Field id={id} label={label}>
      {(control) => (
        <select {...control} className="input" value={value} onChange={({ target }) => onChange(target.value)}>
          {options.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

type Extents = ResponseOf<'moderationScope'>;

/** How much else the members and networks of the first selected entries have created, on request. */
function Extent({ selected }: Pick<DecisionFormProps, 'selected'>) {
  const [found, setFound] = useState<Extents>();
  const [first] = selected;
  const check = useAdminMutation(
    ({ kind, id }: Pick<Reported, 'kind' | 'id'>) => callAdmin('moderationScope', { query: { kind, id } }),
    setFound,
  );
  return (
    <div className="stack">
      <p className="muted small">{texts.scopeHint}</p>
      {first !== undefined && selected.length === 1 && (
        <button
          type="button"
          className="button button--small"
          aria-disabled={check.isPending}
          onClick={() => check.mutate(first)}
        >
          {texts.check}
        </button>
      )}
      <div className="small" role="status">
        {found !== undefined && (
          <>
            <p>{texts.scopeCounts(texts.sameMember, found.member)}</p>
            {found.network !== null && <p>{texts.scopeCounts(texts.sameNetwork, found.network)}</p>}
          </>
        )}
      </div>
    </div>
  );
}
