import { AdminSection, Loaded } from '#site/admin/AdminSection.tsx';
import { useChecklist } from '#site/admin/use-checklist.ts';
import { healthTexts } from '#texts/admin-pages.ts';
import { BackupTest } from './BackupTest.tsx';

const { backups: texts } = healthTexts;

/** The last backup and the test of one, and what checks everything else. */
export function Backups() {
  const query = useChecklist();
  return (
    <AdminSection anchor="backups" heading={texts.heading} text={texts.text}>
      <Loaded query={query}>
        {({ backupTest, lastBackupAt }) => <BackupTest test={backupTest} lastBackupAt={lastBackupAt} />}
      </Loaded>
      <p className="muted small">{texts.doctor}</p>
    </AdminSection>
  );
}
