import { useId } from 'react';
import type { BackupTest as Test } from '#api/admin/today/today.contract.ts';
import { callAdmin } from '#site/admin/admin-session.ts';
import styles from '#site/admin/Admin.module.css';
import { ActionButton } from '#site/admin/AdminList.tsx';
import { Allowed } from '#site/admin/AdminSection.tsx';
import { refreshChecklist } from '#site/admin/use-checklist.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { checklistTexts } from '#texts/admin-checklist.ts';

const { backup: texts } = checklistTexts;

interface BackupTestProps {
  readonly test: Test | null;
  readonly lastBackupAt: string | null;
}

/** Starts a backup test, and shows its progress and result. */
export function BackupTest({ test, lastBackupAt }: BackupTestProps) {
  return (
    <>
      <p>
        {texts.last} {lastBackupAt === null ? texts.never : <RelativeTime moment={lastBackupAt} />}
      </p>
      {test?.state === 'running' && <Progress test={test} />}
      <p role="status">
        {test?.state === 'passed' && texts.passed(((test.bytes ?? 0) / 1e6).toFixed(1))}
        {test?.state === 'failed' && texts.failed(test.error ?? '')}
      </p>
      <Allowed to="owner">
        <p>
          <ActionButton
            label={test === null ? texts.start : texts.startAgain}
            disabled={test?.state === 'running'}
            act={async () => {
              await callAdmin('startBackupTest');
              await refreshChecklist();
            }}
          />
        </p>
      </Allowed>
    </>
  );
}

function Progress({ test: { phase, percent } }: { readonly test: Test }) {
  const id = useId();
  return (
    <div className={styles.progress}>
      <label htmlFor={id}>{texts.phases[phase]}</label>
      <span className="figure">{phase !== 'checking' && texts.percent(percent)}</span>
      <progress id={id} max={100} {...(phase !== 'checking' && { value: percent })} />
    </div>
  );
}
