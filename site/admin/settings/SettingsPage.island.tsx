import { AdminPage } from '#site/admin/AdminPage.tsx';
import { useDeskUser } from '#site/admin/admin-session.ts';
import { DeskMail } from '#site/admin/DeskMail.tsx';
import { TimeZone } from '#site/admin/TimeZone.tsx';
import { Webhooks } from '#site/admin/webhooks/Webhooks.tsx';
import { AuthProvider } from '#site/client/auth.tsx';
import { settingsTexts } from '#texts/operators.ts';
import { ApiTokens } from './ApiTokens.tsx';
import { Invitation, useInvitation } from './Invitation.tsx';
import { People } from './People.tsx';
import { SharedPassword } from './SharedPassword.tsx';

/** The settings of the desk; with an invitation link, first the invitation. */
export default function SettingsPage() {
  const invitation = useInvitation();
  return (
    <AuthProvider>
      {invitation === null ? (
        <AdminPage page="settings">
          <TimeZone />
          <DeskMail />
          <OwnerSections />
        </AdminPage>
      ) : (
        <Invitation token={invitation} />
      )}
    </AuthProvider>
  );
}

function OwnerSections() {
  if (useDeskUser()?.role !== 'owner') return <p className="muted">{settingsTexts.ownersOnly}</p>;
  return (
    <>
      <People />
      <SharedPassword />
      <ApiTokens />
      <Webhooks />
    </>
  );
}
