import { useId, useState } from 'react';
import type { ModerationEntry } from '#contract/moderation.ts';
import { toast } from '#site/ui/toasts.ts';
import { WrittenText } from '#site/ui/WrittenText.tsx';
import { queueTexts as texts } from '#texts/admin-moderation.ts';
import styles from '#site/admin/Admin.module.css';
import listStyles from '#site/admin/AdminLists.module.css';
import { callAdmin, refreshAdmin, useAdminMutation } from '#site/admin/admin-session.ts';
import { useFragment } from '#site/admin/use-address.ts';
import { ReasonField, reasonIn } from '#site/admin/ReasonField.tsx';

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
      <ul className={styles.list}>
        {appeals.map((entry) => (
          <Appeal key={entry.id} {...entry} />
        ))}
      </ul>
    </section>
  );
}

function Appeal({ id, action, kind, label, reason, member, appeal }: ModerationEntry) {
  const field = useId();
  const [problem, setProblem] = useState<string>();
  const { mutate, isPending } = useAdminMutation(
    (body: { readonly granted: boolean; readonly reason: string }) =>
      callAdmin('decideAppeal', { params: { id: String(id) }, body }).then(() => body.granted),
    (granted) => {
      toast(texts.appealDone(granted));
      return refreshAdmin();
    },
  );
  const about = label ?? texts.kinds[kind];
  return (
    <li className={listStyles.stacked}>
      <p>
        <b>{texts.appealOf(member)}</b>
      </p>
      <p className="muted small">
        {texts.actions[action]}: <bdi>{about}</bdi> ({reason})
      </p>
      <WrittenText text={appeal ?? ''} />
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget, event.nativeEvent.submitter);
          const answer = reasonIn(data);
          setProblem(answer === '' ? texts.noReason : undefined);
          if (answer !== '' && !isPending) mutate({ granted: data.get('granted') === 'yes', reason: answer });
        }}
      >
        <ReasonField id={field} label={texts.appealReason} problem={problem} />
        <div className={styles.actions}>
          <button
            type="submit"
            name="granted"
            value="yes"
            className="button button--small"
            aria-disabled={isPending}
            aria-label={texts.grantName(about)}
          >
            {texts.grant}
          </button>
          <button
            type="submit"
            name="granted"
            value="no"
            className="button button--small"
            aria-disabled={isPending}
            aria-label={texts.refuseName(about)}
          >
            {texts.refuse}
          </button>
        </div>
      </form>
    </li>
  );
}
