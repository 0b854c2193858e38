import checkUserChange from 'virtual:contract-check/userChange';
import { useState } from 'react';
import type { FocusEvent } from 'react';
import type { User, UserChange } from '#contract/account.ts';
import { normalizeName } from '#domain/account-rules.ts';
import { displayName } from '#domain/display-name.ts';
import { callApi } from '#site/client/api.ts';
import { userChanged } from '#site/client/session.ts';
import { Avatar } from '#site/ui/Avatar.tsx';
import { toast } from '#site/ui/toasts.ts';
import { accountFieldTexts as fields, accountPageTexts, accountToasts } from '#texts/accounts.ts';
import { AccountForm } from './AccountForm.tsx';
import styles from './AccountPage.module.css';
import { accountErrors } from './field-checks.ts';
import { pictureLoads } from './picture-loads.ts';
import { TextField } from './TextField.tsx';
import { useSubmission } from './use-submission.ts';

const texts = accountPageTexts.person;
type Person = Required<UserChange>;

/** What the three fields say; an empty one says that there is none. */
const personIn = (field: (name: string) => string): Person => ({
  firstName: normalizeName(field('firstName')),
  lastName: normalizeName(field('lastName')),
  profileImageUrl: normalizeName(field('profileImageUrl')),
});

/** Changes name and picture, and shows how others will see them. */
export function PersonForm({ user }: { readonly user: User }) {
  const [written, setWritten] = useState<Person>(user);
  const submission = useSubmission({
    bodyOf: personIn,
    check: (body) => accountErrors(checkUserChange, body),
    checkSlowly: async ({ profileImageUrl: address }) =>
      address === null || address === user.profileImageUrl || (await pictureLoads(address))
        ? []
        : [{ field: 'profileImageUrl', message: texts.pictureFails }],
    send: (body) => callApi('updateUser', { body }),
    onDone: (changed) => {
      userChanged(changed);
      toast(accountToasts.saved);
    },
    failedTitle: accountToasts.saveFailed,
  });
  const { problemOf } = submission;

  // Once a field is left, so that no half-typed address is asked for.
  const handleBlur = ({ currentTarget }: FocusEvent<HTMLElement>) => {
    const inputs = [...currentTarget.querySelectorAll('input')];
    const person = personIn((name) => inputs.find((input) => input.name === name)?.value ?? '');
    const badPicture = accountErrors(checkUserChange, { profileImageUrl: person.profileImageUrl }).length > 0;
    setWritten(badPicture ? { ...person, profileImageUrl: null } : person);
  };
  const seen = { ...written, name: displayName({ ...written, username: user.username }) };

  return (
    <AccountForm submission={submission} action={texts.save} pendingAction={texts.saving}>
      <figure className={styles.preview}>
        <Avatar person={seen} size="large" />
        <figcaption>{texts.preview}</figcaption>
        <p className={styles.previewName} dir="auto">
          {seen.name}
        </p>
      </figure>
      <div className={styles.person} onBlur={handleBlur}>
        <div className={styles.names}>
          <TextField
            name="firstName"
            label={fields.firstName}
            defaultValue={user.firstName ?? ''}
            autoComplete="given-name"
            problem={problemOf('firstName')}
            optional
          />
          <TextField
            name="lastName"
            label={fields.lastName}
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
          label={fields.picture}
          hint={fields.pictureHint}
          defaultValue={user.profileImageUrl ?? ''}
          autoComplete="photo"
          problem={problemOf('profileImageUrl')}
          optional
        />
      </div>
    </AccountForm>
  );
}
