import { useMutation } from '@tanstack/react-query';
import checkUserChange from 'virtual:contract-check/userChange';
import { useState } from 'react';
import type { FocusEvent } from 'react';
import type { User, UserChange } from '#contract/account.ts';
import { normalizeName } from '#domain/account-rules.ts';
import { displayName } from '#domain/display-name.ts';
import { callApi } from '#site/client/api.ts';
import { userChanged } from '#site/client/auth.tsx';
import { queryClient } from '#site/client/query-client.ts';
import { Avatar } from '#site/ui/Avatar.tsx';
import { toast } from '#site/ui/toasts.ts';
import { accountFieldTexts as labels, accountPageTexts, accountToasts } from '#texts/accounts.ts';
import { AccountForm, TextField } from './AccountForm.tsx';
import styles from './AccountPage.module.css';
import { accountErrors, InvalidInput, useAccountForm } from './use-account-form.ts';

const texts = accountPageTexts.person;
const pictureTimeoutMs = 10_000;

/** Whether this browser can load the picture at an address. True while offline, when that can't be checked. */
function canLoadPicture(address: string): Promise<boolean> {
  if (!navigator.onLine) return Promise.resolve(true);
  return new Promise((resolve) => {
    const image = new Image();
    const timer = setTimeout(() => resolve(false), pictureTimeoutMs);
    const settle = (loaded: boolean) => () => {
      clearTimeout(timer);
      resolve(loaded);
    };
    image.onload = settle(true);
    image.onerror = settle(false);
    image.referrerPolicy = 'no-referrer';
    image.src = address;
  });
}

type ProfileFields = Required<UserChange>;

function useUpdateProfile(user: User) {
  return useMutation<User, Error, ProfileFields>(
    {
      mutationFn: async (body) => {
        const { profileImageUrl: address } = body;
        if (address !== null && address !== user.profileImageUrl && !(await canLoadPicture(address)))
          throw new InvalidInput([{ field: 'profileImageUrl', message: texts.pictureFails }]);
        return callApi('updateUser', { body });
      },
      onSuccess: (changed) => {
        userChanged(changed);
        toast(accountToasts.saved);
      },
    },
    queryClient(),
  );
}

/** The values of the three fields; null for an empty one. */
const readFields = (field: (name: string) => string): ProfileFields => ({
  firstName: normalizeName(field('firstName')),
  lastName: normalizeName(field('lastName')),
  profileImageUrl: normalizeName(field('profileImageUrl')),
});

/** The form that changes name and picture, with a preview of how others see them. */
export function ProfileForm({ user }: { readonly user: User }) {
  const [fields, setFields] = useState<ProfileFields>(user);
  const state = useAccountForm({
    mutation: useUpdateProfile(user),
    bodyOf: readFields,
    check: (body) => accountErrors(checkUserChange, body),
    failedTitle: accountToasts.saveFailed,
  });
  const { problemOf } = state;

  // The preview follows when a field loses the focus, so that no half-typed address is loaded.
  const handleBlur = ({ currentTarget }: FocusEvent<HTMLElement>) => {
    const inputs = [...currentTarget.querySelectorAll('input')];
    const typed = readFields((name) => inputs.find((input) => input.name === name)?.value ?? '');
    const badPicture = accountErrors(checkUserChange, { profileImageUrl: typed.profileImageUrl }).length > 0;
    setFields(badPicture ? { ...typed, profileImageUrl: null } : typed);
  };
  const preview = { ...fields, name: displayName({ ...fields, username: user.username }) };

  return (
    <AccountForm state={state} action={texts.save} pendingAction={texts.saving}>
      <figure className={styles.preview}>
        <Avatar person={preview} size="large" />
        <figcaption>{texts.preview}</figcaption>
        <p className={styles.previewName} dir="auto">
          {preview.name}
        </p>
      </figure>
      <div className={styles.person} onBlur={handleBlur}>
        <div className={styles.names}>
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
        <TextField
          name="profileImageUrl"
          type="url"
          inputMode="url"
          label={labels.picture}
          hint={labels.pictureHint}
          defaultValue={user.profileImageUrl ?? ''}
          autoComplete="photo"
          problem={problemOf('profileImageUrl')}
          optional
        />
      </div>
    </AccountForm>
  );
}
