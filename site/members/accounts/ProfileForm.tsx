import checkUserChange from 'virtual:check/UserChange';
import { useState } from 'react';
import type { FocusEvent } from 'react';
import type { User, UserChange } from '#api/members/accounts/accounts.contract.ts';
import { normalizeName } from '#domain/account-rules.ts';
import { displayName } from '#domain/display-name.ts';
import { callApi } from '#site/client/api.ts';
import { userChanged } from '#site/client/auth.tsx';
import { useForm } from '#site/client/use-form.ts';
import { Avatar } from '#site/ui/Avatar.tsx';
import { MemberName } from '#site/ui/MemberName.tsx';
import { toast } from '#site/ui/toasts.ts';
import { accountFieldTexts as labels, accountPageTexts, accountToasts } from '#texts/accounts.ts';
import { AccountForm, TextField } from './AccountForm.tsx';
import { accountErrors, accountFailure } from './account-form.ts';
import { PictureField } from './PictureField.tsx';
import styles from './AccountPage.module.css';

const texts = accountPageTexts.person;

type ProfileFields = Required<Pick<UserChange, 'firstName' | 'lastName'>>;

/** The values of the two fields; null for an empty one. */
const readFields = (field: (name: string) => string): ProfileFields => ({
  firstName: normalizeName(field('firstName')),
  lastName: normalizeName(field('lastName')),
});

/** The picture, and the form that changes the name, with a preview of how others see them. */
export function ProfileForm({ user }: { readonly user: User }) {
  const [fields, setFields] = useState<ProfileFields>(user);
  const state = useForm({
    bodyOf: readFields,
    check: (body) => accountErrors(checkUserChange, body),
    send: (body) => callApi('updateUser', { body }),
    onSent(changed) {
      userChanged(changed);
      toast(accountToasts.saved);
    },
    onFailed: accountFailure(accountToasts.saveFailed),
  });
  const { problemOf } = state;

  // The preview follows when a field loses the focus.
  const handleBlur = ({ currentTarget }: FocusEvent<HTMLElement>) => {
    const inputs = [...currentTarget.querySelectorAll('input')];
    setFields(readFields((name) => inputs.find((input) => input.name === name)?.value ?? ''));
  };
  const { username, profileImageUrl } = user;
  const preview = { ...fields, profileImageUrl, name: displayName({ ...fields, username }) };

  return (
    <div className={styles.person}>
      <figure className={styles.preview}>
        <Avatar person={preview} size="large" />
        <figcaption>{texts.preview}</figcaption>
        <p className={styles.previewName} dir="auto">
          <MemberName member={{ name: preview.name, username }} />
        </p>
      </figure>
      <PictureField user={user} />
      <AccountForm state={state} action={texts.save} pendingAction={texts.saving}>
        <div className={styles.names} onBlur={handleBlur}>
          <TextField
            name="firstName"
            label={labels.firstName}
            defaultValue={user.firstName ?? ''}
            autoComplete="given-name"
            problem={problemOf('firstName')}
            optional
          />
          <TextField
            name="lastName"
            label={labels.lastName}
            defaultValue={user.lastName ?? ''}
            autoComplete="family-name"
            problem={problemOf('lastName')}
            optional
          />
        </div>
      </AccountForm>
    </div>
  );
}
