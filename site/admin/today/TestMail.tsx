import { useState } from 'react';
import { callAdmin } from '#site/admin/admin-session.ts';
import styles from '#site/admin/Admin.module.css';
import { AdminForm } from '#site/admin/AdminForm.tsx';
import { refreshChecklist } from '#site/admin/use-checklist.ts';
import { checklistTexts } from '#texts/admin-checklist.ts';

const { mail: texts } = checklistTexts;

/** Sends a mail to an address, and shows what the mail server said. */
export function TestMail() {
  const [answer, setAnswer] = useState('');
  return (
    <>
      <AdminForm
        className={styles.feature}
        fields={[
          {
            ...{ name: 'to', label: texts.address, hint: texts.hint, required: texts.missing },
            input: { type: 'email', maxLength: 254, autoComplete: 'email' },
          },
        ]}
        refused="to"
        submit={texts.send}
        pending={texts.sending}
        send={async (field) => {
          setAnswer('');
          const to = field('to');
          const { reason } = await callAdmin('sendTestMail', { body: { email: to } });
          setAnswer(reason === null ? texts.accepted(to) : texts.refused(reason));
          await refreshChecklist();
        }}
      />
      <p role="status">{answer}</p>
    </>
  );
}
