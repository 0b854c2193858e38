import { useState } from 'react';
import type { BodyOf, ResponseOf } from '#api/endpoints.contract.ts';
import type { Reported } from '#api/moderation/moderation.contract.ts';
import type { ModerationAction, ReportedKind } from '#contract/vocabulary.ts';
import { choicesIn, SelectField } from '#site/ui/SelectField.tsx';
import { queueTexts as texts } from '#texts/admin-moderation.ts';
import styles from './Admin.module.css';
import { callAdmin } from './admin-session.ts';
import { AdminForm } from './AdminForm.tsx';
import type { FormField } from './AdminForm.tsx';
import { ActionButton } from './AdminList.tsx';

const actionsOf: Readonly<Record<ReportedKind, readonly ModerationAction[]>> = {
  comment: ['hide', 'delete', 'suspend', 'dismiss', 'show', 'lift'],
  poll: ['hide', 'close', 'delete', 'suspend', 'dismiss', 'show', 'lift'],
  member: ['suspend', 'dismiss', 'lift'],
};
/** Lengths of suspensions in days; 0: for good. */
const periods = [1, 7, 30, 90, 0] as const;
type Scope = NonNullable<BodyOf<'moderate'>['scope']>;

/** The field for the reason of a moderator’s decision. */
export const reasonField = (label: string): FormField => ({
  ...{ name: 'reason', label, required: texts.noReason },
  input: { autoComplete: 'off', dir: 'auto' },
});

interface DecisionFormProps {
  readonly selected: readonly Pick<Reported, 'kind' | 'id'>[];
  readonly onDone: () => void;
  /** One member, with the actions that fit; without it, all actions that fit what is selected. */
  readonly member?: { readonly actions: readonly ModerationAction[]; readonly onCancel: () => void };
}

/** Decides about the selected entries: what to do, to what else, and why. */
export function DecisionForm({ selected, onDone, member }: DecisionFormProps) {
  const kinds = [...new Set(selected.map(({ kind }) => kind))];
  const actions =
    member?.actions ??
    (kinds.length === 0
      ? actionsOf.poll
      : actionsOf[kinds[0]!].filter((one) => kinds.every((kind) => actionsOf[kind].includes(one))));
  const [wanted, setAction] = useState<ModerationAction>('hide');
  const action = actions.includes(wanted) ? wanted : (actions[0] ?? 'dismiss');
  const [days, setDays] = useState('7');
  const [scope, setScope] = useState<Scope>('each');
  const decide = async (reason: string) => {
    const sum = { changed: 0, unchanged: 0, missing: 0 };
    for (const kind of kinds) {
      const ids = selected.filter((one) => one.kind === kind).map((one) => one.id);
      const counts = await callAdmin('moderate', {
        body: {
          ...{ action, kind, ids, reason, scope: action === 'dismiss' ? 'each' : scope },
          ...(action === 'suspend' && days !== '0' && { days: Number(days) }),
        },
      });
      for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += counts[key];
    }
    onDone();
    return texts.done(sum);
  };
  return (
    <AdminForm
      resets
      kind="primary"
      blocked={{ text: texts.noSelection, now: selected.length === 0 }}
      fields={[reasonField(member ? texts.memberReasonLabel : texts.reasonLabel)]}
      submit={member ? texts.actions[action] : texts.confirm(selected.length)}
      cancel={member && { label: texts.cancel, onClose: member.onCancel }}
      send={(field) => decide(field('reason'))}
    >
      <div className={styles.actions}>
        {actions.length > 1 && (
          <SelectField
            label={texts.action}
            value={action}
            choices={actions.map((one) => [one, texts.actions[one]])}
            onChange={setAction}
          />
        )}
        {action === 'suspend' && (
          <SelectField
            label={texts.days}
            value={days}
            choices={periods.map((one) => [String(one), one === 0 ? texts.forGood : texts.dayCounts(one)])}
            onChange={setDays}
          />
        )}
        {action !== 'dismiss' && (
          <SelectField
            label={texts.scope}
            value={scope}
            choices={choicesIn<Scope>(member ? texts.memberScopes : texts.scopes)}
            onChange={setScope}
          />
        )}
      </div>
      {scope !== 'each' && action !== 'dismiss' && <Extent selected={selected} />}
    </AdminForm>
  );
}

/** How much else the members and networks of the first selected entries have created, on request. */
function Extent({ selected }: Pick<DecisionFormProps, 'selected'>) {
  const [found, setFound] = useState<ResponseOf<'moderationScope'>>();
  const [first] = selected;
  return (
    <div className="stack">
      <p className="muted small">{texts.scopeHint}</p>
      {first !== undefined && selected.length === 1 && (
        <ActionButton
          label={texts.check}
          act={async () => {
            setFound(await callAdmin('moderationScope', { query: { kind: first.kind, id: first.id } }));
          }}
        />
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
