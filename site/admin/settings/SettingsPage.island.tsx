import { AdminPage } from '#site/admin/AdminPage.tsx';
import { useAdminUser } from '#site/admin/admin-session.ts';
import { TodayMail } from '#site/admin/TodayMail.tsx';
import { TimeZone } from '#site/admin/TimeZone.tsx';
import { Webhooks } from '#site/admin/webhooks/Webhooks.tsx';
import { AuthProvider } from '#site/client/auth.tsx';
import { settingsTexts } from '#texts/operators.ts';
import { ApiTokens } from './ApiTokens.tsx';
import { Invitation, useInvitation } from './Invitation.tsx';
import { People } from './People.tsx';
import { SharedPassword } from './SharedPassword.tsx';

/** The admin settings; with an invitation link, first the invitation. */
export default function SettingsPage() {
  const invitation = useInvitation();
  return (
    <AuthProvider>
      {invitation === null ? (
        <AdminPage page="settings">
          <TimeZone />
          <TodayMail />
          <OwnerSections />
        </AdminPage>
      ) : (
        <Invitation token={invitation} />
      )}
    </AuthProvider>
  );
}

function OwnerSections() {
  if (useAdminUser()?.role !== 'owner') return <p className="muted">{settingsTexts.ownersOnly}</p>;
  return (
    <>
      <People />
      <SharedPassword />
      <ApiTokens />
      <Webhooks />
    </>
  );
}
