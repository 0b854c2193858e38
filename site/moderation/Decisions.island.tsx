import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import type { ModerationDecision } from '#api/moderation/moderation.contract.ts';
import { trimText } from '#domain/visible-text.ts';
import { callApi } from '#site/client/api.ts';
import { AuthProvider } from '#site/client/auth.tsx';
import { failureSentence } from '#site/client/failure-text.ts';
import { MemberGate } from '#site/client/MemberGate.tsx';
import { MemberData, PageHead } from '#site/client/MemberPageParts.tsx';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { useForm } from '#site/client/use-form.ts';
import { Field } from '#site/ui/Field.tsx';
import { formatDay } from '#site/ui/format.ts';
import { Notice } from '#site/ui/Notice.tsx';
import { decisionsTexts as texts, decisionText } from '#texts/moderation.ts';
import styles from './Decisions.module.css';

/** The page with what moderators decided about a member, and that member’s appeals. */
export default function Decisions() {
  return (
    <AuthProvider>
      <MemberGate title={texts.pageTitle}>{() => <OwnDecisions />}</MemberGate>
    </AuthProvider>
  );
}

function OwnDecisions() {
  const query = useQuery(
    { queryKey: queryKeys.decisions, queryFn: ({ signal }) => callApi('moderationDecisions', { signal }) },
    queryClient(),
  );
  return (
    <div className={styles.page}>
      <PageHead title={texts.pageTitle} />
      <MemberData query={query} texts={texts}>
        {(data) => (
          <>
            {data.decisions.length === 0 ? (
              <Notice
                title={texts.emptyTitle}
                text={texts.emptyText}
                level={2}
                action={texts.emptyAction}
                href="/profile"
              />
            ) : (
              <ul aria-label={texts.list}>
                {data.decisions.map((decision) => (
                  <Decision key={decision.id} {...decision} />
                ))}
              </ul>
            )}
          </>
        )}
      </MemberData>
    </div>
  );
}

function Decision(decision: ModerationDecision) {
  const { id, label, kind, reason, createdAt, until, endedAt, mayAppeal, appeal, granted, decisionReason } = decision;
  return (
    <li className={styles.entry}>
      <p className={styles.title}>{decisionText({ ...decision, granted: null })}</p>
      {kind !== 'member' && label !== null && <p dir="auto">{texts.about(label)}</p>}
      <p dir="auto">{texts.reason(reason)}</p>
      <p className="muted small">
        <time dateTime={createdAt}>{formatDay(createdAt)}</time>
        {until !== null && `, ${texts.until(formatDay(until))}`}
        {endedAt !== null && `, ${texts.ended(formatDay(endedAt))}`}
      </p>
      {appeal !== null && <p dir="auto">{texts.yours(appeal)}</p>}
      <p dir="auto" role="status">
        {appeal !== null &&
          (granted === null ? texts.waiting : (granted ? texts.granted : texts.refused)(decisionReason ?? ''))}
      </p>
      {mayAppeal && <AppealForm id={id} />}
    </li>
  );
}

function AppealForm({ id }: { readonly id: number }) {
  const field = useId();
  const [open, setOpen] = useState(false);
  const { form, pending, problemOf, formProblem } = useForm({
    bodyOf: (read) => ({ text: trimText(read('text')) }),
    check: ({ text }) => (text === '' ? [{ field: 'text', message: texts.noText }] : []),
    send: (body) => callApi('appeal', { params: { id: String(id) }, body }),
    onSent: () => queryClient().invalidateQueries({ queryKey: queryKeys.decisions }),
    onFailed: (error) => failureSentence(error, texts.failed),
  });
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), [open, formProblem]);
  if (!open)
    return (
      <p>
        <button type="button" className="button button--small" onClick={() => setOpen(true)}>
          {texts.appeal}
        </button>
      </p>
    );
  return (
    <form {...form} className={styles.appeal}>
      <Field
        id={field}
        className={styles.field}
        label={texts.appealLabel}
        hint={texts.appealHint}
        problem={problemOf('text') ?? formProblem ?? undefined}
      >
        {(control) => <textarea {...control} ref={box} className="input" name="text" rows={4} dir="auto" />}
      </Field>
      <button type="submit" className="button button--primary" aria-disabled={pending}>
        {pending ? texts.sending : texts.send}
      </button>
    </form>
  );
}
