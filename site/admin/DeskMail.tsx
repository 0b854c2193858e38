import { useQuery } from '@tanstack/react-query';
import { queryClient } from '#site/client/query-client.ts';
import { deskMailTexts as texts } from '#texts/desk-mail.ts';
import styles from './Admin.module.css';
import { adminKey, callAdmin, useAdminMutation } from './admin-session.ts';
import { AdminSection, Loaded } from './AdminSection.tsx';

const deskMailKey = [...adminKey, 'desk-mail'];

/** Turns mail about what needs a decision on or off for the operator who is signed in. */
export function DeskMail() {
  const query = useQuery(
    { queryKey: deskMailKey, queryFn: ({ signal }) => callAdmin('deskMail', { signal }) },
    queryClient(),
  );
  const { mutate, isPending } = useAdminMutation(
    (on: boolean) => callAdmin('setDeskMail', { body: { on } }),
    () => queryClient().invalidateQueries({ queryKey: deskMailKey }),
  );
  return (
    <AdminSection anchor="desk-mail" heading={texts.heading} text={texts.text}>
      <Loaded query={query}>
        {({ sendsMail, member, address, on }) => {
          if (!sendsMail) return <p className="muted">{texts.off}</p>;
          if (!member) return <p className="muted">{texts.noMember}</p>;
          if (address === null)
            return (
              <p className="muted">
                {texts.noAddress} <a href="/profile/account">{texts.account}</a>
              </p>
            );
          return (
            <label className={styles.check}>
              <input
                type="checkbox"
                checked={on}
                aria-disabled={isPending}
                onChange={({ target }) => isPending || mutate(target.checked)}
              />
              {texts.label(address)}
            </label>
          );
        }}
      </Loaded>
    </AdminSection>
  );
}
