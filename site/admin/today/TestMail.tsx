import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { adminErrorMessage, callAdmin } from '#site/admin/admin-session.ts';
import styles from '#site/admin/Admin.module.css';
import { queryClient } from '#site/client/query-client.ts';
import { Field } from '#site/ui/Field.tsx';
import { checklistTexts } from '#texts/desk-checklist.ts';

const { mail: texts } = checklistTexts;

/** Sends a mail to an address, and shows what the mail server said. */
export function TestMail({ onSent }: { readonly onSent: () => unknown }) {
  const id = useId();
  const [isMissing, setMissing] = useState(false);
  const { mutate, isPending, error, data, variables } = useMutation(
    { mutationFn: (to: string) => callAdmin('sendTestMail', { body: { email: to } }), onSuccess: onSent },
    queryClient(),
  );
  const problem = isMissing ? texts.missing : error ? adminErrorMessage(error) : undefined;
  return (
    <form
      className={styles.feature}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget).get('to');
        const to = typeof typed === 'string' ? typed.trim() : '';
        setMissing(to === '');
        if (to !== '' && !isPending) mutate(to);
      }}
    >
      <Field id={id} label={texts.address} hint={texts.hint} problem={problem}>
        {(control) => (
          <input {...control} className="input" type="email" name="to" maxLength={254} autoComplete="email" />
        )}
      </Field>
      <button type="submit" className="button" aria-disabled={isPending}>
        {isPending ? texts.sending : texts.send}
      </button>
      <p role="status">
        {data !== undefined && (data.reason === null ? texts.accepted(variables ?? '') : texts.refused(data.reason))}
      </p>
    </form>
  );
}
