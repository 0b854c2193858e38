import { useId } from 'react';
import type { ModerationEntry } from '#api/moderation/moderation.contract.ts';
import { WrittenText } from '#site/ui/WrittenText.tsx';
import { queueTexts as texts } from '#texts/admin-moderation.ts';
import styles from '#site/admin/Admin.module.css';
import { callAdmin } from '#site/admin/admin-session.ts';
import { AdminForm } from '#site/admin/AdminForm.tsx';
import { Rows } from '#site/admin/AdminList.tsx';
import { reasonField } from '#site/admin/DecisionForm.tsx';
import { useFragment } from '#site/admin/use-address.ts';

/** Undecided appeals, oldest first. */
export function Appeals({ appeals }: { readonly appeals: readonly ModerationEntry[] }) {
  const id = useId();
  useFragment(appeals.length > 0);
  if (appeals.length === 0) return null;
  return (
    <section id="appeals" className={styles.appeals} aria-labelledby={id}>
      <h3 id={id} tabIndex={-1}>
        {texts.appeals}
      </h3>
      <Rows rows={appeals} keyOf={(entry) => entry.id} row={(entry) => <Appeal {...entry} />} />
    </section>
  );
}

function Appeal({ id, action, kind, label, reason, member, appeal }: ModerationEntry) {
  const about = label ?? texts.kinds[kind];
  return (
    <li className={styles.stacked}>
      <p>
        <b>{texts.appealOf(member)}</b>
      </p>
      <p className="muted small">
        {texts.actions[action]}: <bdi>{about}</bdi> ({reason})
      </p>
      <WrittenText text={appeal ?? ''} />
      <AdminForm
        fields={[reasonField(texts.appealReason)]}
        submit={[
          ['yes', texts.grant],
          ['no', texts.refuse],
        ]}
        submitNames={[texts.grantName(about), texts.refuseName(about)]}
        send={async (field) => {
          const granted = field('submit') === 'yes';
          await callAdmin('decideAppeal', { params: { id: String(id) }, body: { granted, reason: field('reason') } });
          return texts.appealDone(granted);
        }}
      />
    </li>
  );
}
