import { useId, useState } from 'react';
import type { SubmitEvent } from 'react';
import type { OperatorInvitationLink, Operators, OperatorSummary } from '#contract/operator.ts';
import { operatorRoles } from '#contract/vocabulary.ts';
import type { OperatorRole } from '#contract/vocabulary.ts';
import { signInAddress } from '#domain/next-path.ts';
import { ActionDialog } from '#site/admin/ActionDialog.tsx';
import styles from '#site/admin/Admin.module.css';
import { callAdmin, continueAs, refreshAdmin, useAdminMutation, useDeskUser } from '#site/admin/admin-session.ts';
import { AdminSection, Loaded } from '#site/admin/AdminSection.tsx';
import { ShownOnce } from '#site/ui/ShownOnce.tsx';
import { useAuth } from '#site/client/auth.tsx';
import { Field } from '#site/ui/Field.tsx';
import { formatDay, formatMoment } from '#site/ui/format.ts';
import { toast } from '#site/ui/toasts.ts';
import { deskSignInTexts, peopleTexts as texts, roleTexts } from '#texts/operators.ts';
import { useOperators } from './operators.ts';
import settingsStyles from './Settings.module.css';

/** Operators and invitations: owners invite, change roles, and remove. */
export function People() {
  const query = useOperators();
  const [removing, setRemoving] = useState<OperatorSummary | null>(null);
  const [link, setLink] = useState<OperatorInvitationLink>();
  return (
    <AdminSection anchor="people" heading={texts.heading} text={texts.text}>
      <BecomeOwner />
      <Loaded query={query}>
        {({ operators, invitations }) => (
          <>
            {operators.length === 0 ? (
              <p className="muted">{texts.none}</p>
            ) : (
              <ul className={styles.list} aria-label={texts.list}>
                {operators.map((operator) => (
                  <Person key={operator.id} operator={operator} onRemove={() => setRemoving(operator)} />
                ))}
              </ul>
            )}
            <Invite link={link} onLink={setLink} />
            {invitations.length > 0 && (
              <>
                <h3>{texts.open}</h3>
                <ul className={styles.list} aria-label={texts.open}>
                  {invitations.map((invitation) => (
                    <OpenInvitation
                      key={invitation.id}
                      {...invitation}
                      onRevoked={() => setLink((shown) => (shown?.id === invitation.id ? undefined : shown))}
                    />
                  ))}
                </ul>
              </>
            )}
          </>
        )}
      </Loaded>
      {removing !== null && <RemoveOperator operator={removing} onClose={() => setRemoving(null)} />}
    </AdminSection>
  );
}

/** Offers the holder of the shared password to become an owner with an account. */
function BecomeOwner() {
  const { status, user } = useAuth();
  const isShared = useDeskUser()?.member === false;
  const { mutate, isPending } = useAdminMutation(
    () => callAdmin('becomeOwner'),
    () => {
      if (user !== null) continueAs({ name: user.username, role: 'owner', member: true });
      toast({ title: texts.heading, text: texts.became });
      void refreshAdmin();
    },
  );
  if (!isShared) return null;
  return (
    <div className="notice stack">
      <p>
        {texts.own} {status === 'signed-in' ? texts.ownText(user.username) : texts.ownSignedOut}
      </p>
      <p>
        {status === 'signed-in' ? (
          <button type="button" className="button" aria-disabled={isPending} onClick={() => isPending || mutate()}>
            {texts.become}
          </button>
        ) : (
          <a className="button" href={signInAddress('/admin/settings')}>
            {deskSignInTexts.heading}
          </a>
        )}
      </p>
    </div>
  );
}

interface PersonProps {
  readonly operator: OperatorSummary;
  readonly onRemove: () => void;
}

function Person({ operator, onRemove }: PersonProps) {
  const { id, username, name, role, createdAt, invitedBy, passkeys, you } = operator;
  const { mutate, isPending } = useAdminMutation(
    (next: OperatorRole) => callAdmin('changeRole', { params: { id }, body: { role: next } }).then(() => next),
    (next) => {
      toast({ title: texts.heading, text: texts.changed(username, next) });
      void refreshAdmin();
    },
  );
  return (
    <li className={styles.entry}>
      <div>
        <p>
          <b>{username}</b> {name !== username && <bdi>({name})</bdi>} {you && <span className="tag">{texts.you}</span>}
        </p>
        <p className="muted small">
          {texts.since(formatDay(createdAt), invitedBy)}, {texts.passkeys(passkeys)}
        </p>
      </div>
      <div className={settingsStyles.role}>
        <RoleForm key={role} username={username} value={role} pending={isPending} onSave={mutate} />
        <button
          type="button"
          className="button button--small"
          aria-label={texts.removeName(username)}
          onClick={onRemove}
        >
          {texts.remove}
        </button>
      </div>
    </li>
  );
}

interface RoleFormProps {
  readonly username: string;
  readonly value: OperatorRole;
  readonly pending: boolean;
  readonly onSave: (role: OperatorRole) => void;
}

const roleOptions = operatorRoles.map((one) => (
  <option key={one} value={one}>
    {roleTexts[one].name}
  </option>
));

/** Chooses a role, which changes only when it is saved: arrow keys choose others on the way. */
function RoleForm({ username, value, pending, onSave }: RoleFormProps) {
  const [role, setRole] = useState(value);
  return (
    <>
      <select
        className="input"
        aria-label={texts.roleOf(username)}
        value={role}
        disabled={pending}
        onChange={({ target }) => setRole(target.value as OperatorRole)}
      >
        {roleOptions}
      </select>
      {role !== value && (
        <button
          type="button"
          className="button button--small"
          aria-label={texts.saveRole(username)}
          aria-disabled={pending}
          onClick={() => pending || onSave(role)}
        >
          {texts.save}
        </button>
      )}
    </>
  );
}

function RemoveOperator({ operator, onClose }: { readonly operator: OperatorSummary; readonly onClose: () => void }) {
  const { id, username } = operator;
  const action = async () => {
    await callAdmin('removeOperator', { params: { id } });
    return { title: texts.heading, text: texts.removed(username) };
  };
  return (
    <ActionDialog
      title={texts.removeTitle(username)}
      text={texts.removeText}
      confirm={texts.remove}
      cancel={deskSignInTexts.cancel}
      dangerous
      action={action}
      onClose={onClose}
    />
  );
}

interface InviteProps {
  /** The link that was made last. */
  readonly link: OperatorInvitationLink | undefined;
  readonly onLink: (link: OperatorInvitationLink) => void;
}

function Invite({ link, onLink }: InviteProps) {
  const id = useId();
  const [role, setRole] = useState<OperatorRole>('editor');
  const { mutate, isPending } = useAdminMutation(
    () => callAdmin('inviteOperator', { body: { role } }),
    (made) => {
      onLink(made);
      void refreshAdmin();
    },
  );
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  return (
    <>
      <form className={styles.feature} onSubmit={submit}>
        <Field id={id} label={texts.inviteRole} hint={roleTexts[role].may}>
          {(control) => (
            <select
              {...control}
              className="input"
              value={role}
              onChange={({ target }) => setRole(target.value as OperatorRole)}
            >
              {roleOptions}
            </select>
          )}
        </Field>
        <button type="submit" className="button" aria-disabled={isPending}>
          {texts.invite}
        </button>
      </form>
      {link !== undefined && (
        <ShownOnce key={link.id} url={link.url} label={texts.link} texts={texts.copying}>
          {texts.linkText(link.role, formatMoment(link.expiresAt))}
        </ShownOnce>
      )}
    </>
  );
}

type OpenInvitationProps = Operators['invitations'][number] & { readonly onRevoked: () => void };

function OpenInvitation({ id, role, madeBy, expiresAt, onRevoked }: OpenInvitationProps) {
  const until = formatMoment(expiresAt);
  const { mutate, isPending } = useAdminMutation(
    () => callAdmin('revokeInvitation', { params: { id: String(id) } }),
    () => {
      toast({ title: texts.heading, text: texts.revoked });
      onRevoked();
      void refreshAdmin();
    },
  );
  return (
    <li className={styles.entry}>
      <p>{texts.invitation(role, madeBy, until)}</p>
      <button
        type="button"
        className="button button--small"
        aria-label={texts.revokeName(role, until)}
        aria-disabled={isPending}
        onClick={() => isPending || mutate()}
      >
        {texts.revoke}
      </button>
    </li>
  );
}
