import { todayMailTexts as texts } from '#texts/admin-mail.ts';
import styles from './Admin.module.css';
import { callAdmin, refreshAdmin, useAdminMutation } from './admin-session.ts';
import { useAdminQuery } from './AdminList.tsx';
import { AdminSection, Loaded } from './AdminSection.tsx';

/** Turns mail about what needs a decision on or off for the operator who is signed in. */
export function TodayMail() {
  const query = useAdminQuery('deskMail');
  const { mutate, isPending } = useAdminMutation(
    (on: boolean) => callAdmin('setDeskMail', { body: { on } }),
    refreshAdmin,
  );
  return (
    <AdminSection anchor="today-mail" heading={texts.heading} text={texts.text}>
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
