import { useState } from 'react';
import type { MemberSummary, ResetLink } from '#api/admin/members.contract.ts';
import { Avatar } from '#site/ui/Avatar.tsx';
import { Dialog } from '#site/ui/Dialog.tsx';
import { formatDay, formatMoment } from '#site/ui/format.ts';
import { ShownOnce } from '#site/ui/ShownOnce.tsx';
import { queueTexts } from '#texts/admin-moderation.ts';
import { memberTexts as texts } from '#texts/members.ts';
import styles from '#site/admin/Admin.module.css';
import { callAdmin, refreshAdmin, useAdminUser } from '#site/admin/admin-session.ts';
import { AdminForm } from '#site/admin/AdminForm.tsx';
import { ActionButton, AdminList, ListRow, useAdminQuery } from '#site/admin/AdminList.tsx';
import { AdminSection } from '#site/admin/AdminSection.tsx';
import { DecisionForm } from '#site/admin/DecisionForm.tsx';
import { useAddress } from '#site/admin/use-address.ts';

/** Finds members, creates password reset links for them, removes their pictures, and suspends them. */
export function Members() {
  const linked = useAddress()[0].get('name') ?? '';
  const [name, setName] = useState(linked);
  const query = useAdminQuery('findMembers', { query: { name }, enabled: name !== '' });
  return (
    <AdminSection anchor="members" heading={texts.heading} text={texts.text}>
      <AdminForm
        className={styles.feature}
        fields={[
          {
            ...{ name: 'name', label: texts.name, value: linked, required: texts.noName },
            input: { maxLength: 254, autoComplete: 'off', autoCapitalize: 'none', spellCheck: false },
          },
        ]}
        submit={texts.find}
        send={async (field) => {
          setName(field('name'));
          if (field('name') === name) await refreshAdmin();
        }}
      />
      <p className="muted small" role="status">
        {query.data && !query.isPlaceholderData && texts.found(query.data.members.length, name)}
      </p>
      {name !== '' && (
        <AdminList
          query={query}
          rows={({ members }) => members}
          // What was made for a member is not shown with other results.
          keyOf={({ id }) => `${name} ${id}`}
          row={(member) => <Member {...member} />}
        />
      )}
    </AdminSection>
  );
}

function Member({ id, username, name, createdAt, suspended, operator, profileImageUrl }: MemberSummary) {
  const [deciding, setDeciding] = useState(false);
  const close = () => setDeciding(false);
  const [picture, setPicture] = useState(profileImageUrl);
  // A reset link takes over the account, so only owners make one.
  const mayReset = useAdminUser()?.role !== 'moderator';
  const [link, setLink] = useState<ResetLink>();
  return (
    <ListRow
      actions={
        <>
          {picture !== null && (
            <>
              <Avatar person={{ firstName: null, lastName: null, name, profileImageUrl: picture }} />
              <ActionButton
                label={texts.removePicture}
                name={texts.removePictureName(username)}
                act={async () => {
                  await callAdmin('removePicture', { params: { id } });
                  setPicture(null);
                }}
              />
            </>
          )}
          {mayReset && link === undefined && (
            <ActionButton
              label={texts.make}
              name={texts.makeName(username)}
              act={async () => {
                setLink(await callAdmin('createResetLink', { params: { id } }));
              }}
            />
          )}
          {link !== undefined && (
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
                onDone={close}
              />
            </Dialog>
          )}
        </>
      }
    >
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
    </ListRow>
  );
}
