import { useState } from 'react';
import type { OperatorInvitationLink, Operators, OperatorSummary } from '#api/admin/operators/operators.contract.ts';
import { operatorRoles } from '#contract/vocabulary.ts';
import type { OperatorRole } from '#contract/vocabulary.ts';
import { signInAddress } from '#domain/next-path.ts';
import styles from '#site/admin/Admin.module.css';
import { callAdmin, continueAs, refreshAdmin, useAdminUser } from '#site/admin/admin-session.ts';
import { AdminForm } from '#site/admin/AdminForm.tsx';
import { ActionButton, AdminList, ListRow, Rows, useAdminQuery } from '#site/admin/AdminList.tsx';
import { AdminSection } from '#site/admin/AdminSection.tsx';
import { useAuth } from '#site/client/auth.tsx';
import { formatDay, formatMoment } from '#site/ui/format.ts';
import { ShownOnce } from '#site/ui/ShownOnce.tsx';
import { adminSignInTexts, peopleTexts as texts, roleTexts } from '#texts/operators.ts';

const toastOf = (text: string) => ({ title: texts.heading, text });

/** Operators and invitations: owners invite, change roles, and remove. */
export function People() {
  const query = useAdminQuery('operators');
  /** The link that was made last. */
  const [link, setLink] = useState<OperatorInvitationLink>();
  const forget = (id: number) => setLink((shown) => (shown?.id === id ? undefined : shown));
  return (
    <AdminSection anchor="people" heading={texts.heading} text={texts.text}>
      <BecomeOwner />
      <AdminList
        query={query}
        rows={({ operators }) => operators}
        empty={texts.none}
        label={texts.list}
        row={(operator) => <Person {...operator} />}
      >
        {({ invitations }) => (
          <>
            <AdminForm
              className={styles.feature}
              fields={[
                {
                  ...{ name: 'role', label: texts.inviteRole, value: 'editor' },
                  hint: (role) => roleTexts[role as OperatorRole].may,
                  choices: operatorRoles.map((one) => [one, roleTexts[one].name]),
                },
              ]}
              submit={texts.invite}
              send={async (field) => {
                setLink(await callAdmin('inviteOperator', { body: { role: field('role') as OperatorRole } }));
                void refreshAdmin();
              }}
            />
            {link !== undefined && (
              <ShownOnce key={link.id} url={link.url} label={texts.link} texts={texts.copying}>
                {texts.linkText(link.role, formatMoment(link.expiresAt))}
              </ShownOnce>
            )}
            {invitations.length > 0 && <h3>{texts.open}</h3>}
            <Rows
              rows={invitations}
              keyOf={({ id }) => id}
              label={texts.open}
              row={(invitation) => <OpenInvitation {...invitation} onRevoked={() => forget(invitation.id)} />}
            />
          </>
        )}
      </AdminList>
    </AdminSection>
  );
}

/** Offers the holder of the shared password to become an owner with an account. */
function BecomeOwner() {
  const { status, user } = useAuth();
  const isShared = useAdminUser()?.member === false;
  if (!isShared) return null;
  return (
    <div className="notice stack">
      <p>
        {texts.own} {status === 'signed-in' ? texts.ownText(user.username) : texts.ownSignedOut}
      </p>
      <p>
        {status === 'signed-in' ? (
          <ActionButton
            className="button"
            label={texts.become}
            act={async () => {
              await callAdmin('becomeOwner');
              continueAs({ name: user.username, role: 'owner', member: true });
              return toastOf(texts.became);
            }}
          />
        ) : (
          <a className="button" href={signInAddress('/admin/settings')}>
            {adminSignInTexts.heading}
          </a>
        )}
      </p>
    </div>
  );
}

function Person({ id, username, name, role, createdAt, invitedBy, passkeys, you }: OperatorSummary) {
  return (
    <ListRow
      actions={
        <>
          <RoleForm key={role} {...{ id, username, role }} />
          <ActionButton
            label={texts.remove}
            name={texts.removeName(username)}
            ask={{
              ...{ title: texts.removeTitle(username), text: texts.removeText, confirm: texts.remove },
              ...{ cancel: adminSignInTexts.cancel, dangerous: true },
            }}
            act={async () => {
              await callAdmin('removeOperator', { params: { id } });
              return toastOf(texts.removed(username));
            }}
          />
        </>
      }
    >
      <p>
        <b>{username}</b> {name !== username && <bdi>({name})</bdi>} {you && <span className="tag">{texts.you}</span>}
      </p>
      <p className="muted small">
        {texts.since(formatDay(createdAt), invitedBy)}, {texts.passkeys(passkeys)}
      </p>
    </ListRow>
  );
}

/** Chooses a role, which changes only when it is saved: arrow keys choose others on the way. */
function RoleForm({ id, username, role }: Pick<OperatorSummary, 'id' | 'username' | 'role'>) {
  const [chosen, setChosen] = useState(role);
  return (
    <>
      <select
        className="input"
        aria-label={texts.roleOf(username)}
        value={chosen}
        onChange={({ target }) => setChosen(target.value as OperatorRole)}
      >
        {operatorRoles.map((one) => (
          <option key={one} value={one}>
            {roleTexts[one].name}
          </option>
        ))}
      </select>
      {chosen !== role && (
        <ActionButton
          label={texts.save}
          name={texts.saveRole(username)}
          act={async () => {
            await callAdmin('changeRole', { params: { id }, body: { role: chosen } });
            return toastOf(texts.changed(username, chosen));
          }}
        />
      )}
    </>
  );
}

type OpenInvitationProps = Operators['invitations'][number] & { readonly onRevoked: () => void };

function OpenInvitation({ id, role, madeBy, expiresAt, onRevoked }: OpenInvitationProps) {
  const until = formatMoment(expiresAt);
  return (
    <ListRow
      actions={
        <ActionButton
          label={texts.revoke}
          name={texts.revokeName(role, until)}
          act={async () => {
            await callAdmin('revokeInvitation', { params: { id: String(id) } });
            onRevoked();
            return toastOf(texts.revoked);
          }}
        />
      }
    >
      <p>{texts.invitation(role, madeBy, until)}</p>
    </ListRow>
  );
}
