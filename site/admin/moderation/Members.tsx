import { useEffect, useId, useState } from 'react';
import type { MemberSummary, ResetLink } from '#contract/admin-members.ts';
import { Avatar } from '#site/ui/Avatar.tsx';
import { Dialog } from '#site/ui/Dialog.tsx';
import { Field } from '#site/ui/Field.tsx';
import { formatDay, formatMoment } from '#site/ui/format.ts';
import { queueTexts } from '#texts/admin-moderation.ts';
import { memberTexts as texts } from '#texts/members.ts';
import styles from '#site/admin/Admin.module.css';
import { callAdmin, useAdminMutation, useDeskUser } from '#site/admin/admin-session.ts';
import { AdminSection } from '#site/admin/AdminSection.tsx';
import { ShownOnce } from '#site/ui/ShownOnce.tsx';
import { useAddress } from '#site/admin/use-address.ts';
import { DecisionForm } from '#site/admin/DecisionForm.tsx';

interface Found {
  readonly name: string;
  readonly members: readonly MemberSummary[];
}

/** Finds members, creates password reset links for them, removes their pictures, and suspends them. */
export function Members() {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const [found, setFound] = useState<Found>();
  const search = useAdminMutation(async (name: string) => {
    const { members } = await callAdmin('findMembers', { query: { name } });
    return { name, members };
  }, setFound);
  const linked = useAddress()[0].get('name') ?? '';
  const { mutate } = search;
  useEffect(() => {
    if (linked !== '') mutate(linked);
  }, [linked, mutate]);
  return (
    <AdminSection anchor="members" heading={texts.heading} text={texts.text}>
      <form
        className={styles.feature}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const typed = new FormData(event.currentTarget).get('name');
          const name = typeof typed === 'string' ? typed.trim() : '';
          setProblem(name === '' ? texts.noName : undefined);
          setFound(undefined);
          if (name !== '' && !search.isPending) search.mutate(name);
        }}
      >
        <Field id={id} label={texts.name} problem={problem}>
          {(control) => (
            <input
              {...control}
              className="input"
              name="name"
              defaultValue={linked}
              maxLength={254}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <button type="submit" className="button" aria-disabled={search.isPending}>
          {texts.find}
        </button>
      </form>
      <p className="muted small" role="status">
        {found && texts.found(found.members.length, found.name)}
      </p>
      {found !== undefined && found.members.length > 0 && (
        <ul className={styles.list}>
          {found.members.map((member) => (
            <Member key={member.id} {...member} onDecided={() => search.mutate(found.name)} />
          ))}
        </ul>
      )}
    </AdminSection>
  );
}

function Member({ onDecided, ...member }: MemberSummary & { readonly onDecided: () => void }) {
  const { id, username, name, createdAt, suspended, operator } = member;
  const [deciding, setDeciding] = useState(false);
  const close = () => setDeciding(false);
  const [picture, setPicture] = useState(member.profileImageUrl);
  const removal = useAdminMutation(
    () => callAdmin('removePicture', { params: { id } }),
    () => setPicture(null),
  );
  // A reset link takes over the account, so only owners make one.
  const mayReset = useDeskUser()?.role !== 'moderator';
  const [link, setLink] = useState<ResetLink>();
  const { mutate, isPending } = useAdminMutation(() => callAdmin('createResetLink', { params: { id } }), setLink);
  return (
    <li className={styles.entry}>
      <p>
        {suspended && <span className="tag">{queueTexts.suspended}</span>} <b>{username}</b>
        {name !== username && (
          <>
            {' '}
            <bdi>({name})</bdi>
          </>
        )}
        , {texts.since} <time dateTime={createdAt}>{formatDay(createdAt)}</time>
      </p>
      {picture !== null && (
        <p className="row">
          <Avatar person={{ firstName: null, lastName: null, name, profileImageUrl: picture }} />
          <button
            type="button"
            className="button button--small"
            aria-disabled={removal.isPending}
            aria-label={texts.removePictureName(username)}
            onClick={() => removal.isPending || removal.mutate()}
          >
            {texts.removePicture}
          </button>
        </p>
      )}
      {!mayReset ? null : link === undefined ? (
        <button
          type="button"
          className="button button--small"
          aria-disabled={isPending}
          aria-label={texts.makeName(username)}
          onClick={() => isPending || mutate()}
        >
          {texts.make}
        </button>
      ) : (
        <ShownOnce url={link.url} label={texts.link(username)}>
          {texts.once(username, formatMoment(link.expiresAt))}
        </ShownOnce>
      )}
      {operator ? (
        <p className="muted small">{texts.isOperator}</p>
      ) : (
        <button
          type="button"
          className="button button--small"
          aria-label={texts.decideName(username, suspended)}
          onClick={() => setDeciding(true)}
        >
          {texts.decide(suspended)}
        </button>
      )}
      {deciding && (
        <Dialog title={texts.decideName(username, suspended)} onClose={close}>
          <DecisionForm
            selected={[{ kind: 'member', id }]}
            member={{ actions: suspended ? ['lift', 'suspend'] : ['suspend'], onCancel: close }}
            onDone={() => {
              close();
              onDecided();
            }}
          />
        </Dialog>
      )}
    </li>
  );
}
