import type { ReactNode } from 'react';
import { confirmableSteps } from '#api/admin/today/today.contract.ts';
import type { Checklist as ChecklistData, ChecklistStep } from '#api/admin/today/today.contract.ts';
import { callAdmin } from '#site/admin/admin-session.ts';
import { ActionButton, AdminList } from '#site/admin/AdminList.tsx';
import { AdminSection } from '#site/admin/AdminSection.tsx';
import styles from '#site/admin/Admin.module.css';
import { useAddress, useFragment } from '#site/admin/use-address.ts';
import { refreshChecklist, useChecklist } from '#site/admin/use-checklist.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { adminPages } from '#texts/admin-pages.ts';
import { checklistTexts as texts } from '#texts/admin-checklist.ts';
import { BackupTest } from '#site/admin/health/BackupTest.tsx';
import ownStyles from './Checklist.module.css';
import { TestMail } from './TestMail.tsx';

/** What a new site needs, for owners, until one of them hides it; `?setup=open` shows it anyway. */
export function Checklist() {
  const [address, setAddress] = useAddress();
  const query = useChecklist();
  const isHidden = query.data?.dismissed ?? true;
  useFragment(query.data !== undefined);
  if (isHidden && address.get('setup') !== 'open')
    return query.data === undefined ? null : (
      <p className="muted small">
        {texts.hidden}{' '}
        <button type="button" className="button button--small" onClick={() => setAddress({ setup: 'open' })}>
          {texts.show}
        </button>
      </p>
    );
  return (
    <AdminSection anchor="setup" heading={texts.heading} text={texts.text}>
      <p className="figure" role="status">
        {query.data &&
          texts.progress(query.data.steps.filter(({ state }) => state === 'done').length, query.data.steps.length)}
      </p>
      <AdminList
        ordered
        query={query}
        rows={(checklist) => checklist.steps.map((step) => ({ ...step, checklist }))}
        keyOf={({ step }) => step}
        row={({ checklist, ...step }) => <Step step={step} checklist={checklist} />}
      >
        {({ dismissed }) => (
          <div className={styles.actions}>
            <button type="button" className="button button--small" onClick={() => void query.refetch()}>
              {texts.again}
            </button>
            <ActionButton
              label={dismissed ? texts.keep : texts.dismiss}
              act={async () => {
                await callAdmin('dismissChecklist', { body: { dismissed: !dismissed } });
                setAddress({ setup: null }, { replace: true });
                await refreshChecklist();
              }}
            />
          </div>
        )}
      </AdminList>
    </AdminSection>
  );
}

interface StepProps {
  readonly step: ChecklistData['steps'][number];
  readonly checklist: ChecklistData;
}

/** A step with why it matters; one that isn’t done also with what to do. */
function Step({ step: { step, state, confirmedAt }, checklist }: StepProps) {
  const mayConfirm = isConfirmable(step);
  const { title, why, todo, confirm } = texts.steps[step];
  const isDone = state === 'done';
  return (
    <li id={`setup-${step}`} className={`${ownStyles.step} ${isDone ? '' : ownStyles.waiting}`}>
      <h3 className={ownStyles.title}>
        <span className={`tag ${state === 'problem' ? ownStyles.problem : ''}`}>{texts.states[state]}</span> {title}
      </h3>
      <p className="muted small">{why}</p>
      {!isDone && <p>{todo}</p>}
      <Facts step={step} checklist={checklist} />
      {confirmedAt === null ? (
        !isDone && mayConfirm && <Confirm step={step} label={confirm ?? title} />
      ) : (
        <p className="row small">
          {texts.confirmed} <RelativeTime moment={confirmedAt} />
          {mayConfirm && <Confirm step={step} label={texts.undo} name={texts.undoName(title)} isUndo />}
        </p>
      )}
    </li>
  );
}

type Confirmable = (typeof confirmableSteps)[number];
const isConfirmable = (step: ChecklistStep): step is Confirmable =>
  (confirmableSteps as readonly ChecklistStep[]).includes(step);

interface ConfirmProps {
  readonly step: Confirmable;
  readonly label: string;
  readonly name?: string;
  readonly isUndo?: boolean;
}

function Confirm({ step, label, name, isUndo = false }: ConfirmProps) {
  return (
    <ActionButton
      className={`button button--small ${ownStyles.action}`}
      label={label}
      name={name}
      act={async () => {
        await callAdmin('confirmStep', { params: { step }, body: { confirmed: !isUndo } });
        await refreshChecklist();
      }}
    />
  );
}

/** What the server knows about a step, and what can be done about it here. */
function Facts({ step, checklist }: { readonly step: ChecklistStep; readonly checklist: ChecklistData }): ReactNode {
  const { site, proxy, backupTest, lastBackupAt, demonstration } = checklist;
  switch (step) {
    case 'site-name':
      return <p>{texts.siteName(site.name)}</p>;
    case 'public-url':
      return (
        <p className={ownStyles.fact}>
          {texts.publicUrl(site.publicUrl)} {checklist.steps.some(isPlain) && texts.plainUrl}
        </p>
      );
    case 'owner':
      return (
        <p>
          <a href={`${adminPages.settings.path}#people`}>{texts.people}</a>
        </p>
      );
    case 'support-email':
      return <p className={ownStyles.fact}>{texts.supportEmail(site.supportEmail)}</p>;
    case 'proxy':
      return (
        <>
          <p className={ownStyles.fact}>{texts.seen(proxy)}</p>
          {proxy.problems.length > 0 && (
            <ul className={styles.bullets}>
              {proxy.problems.map((problem) => (
                <li key={problem}>{texts.proxyProblems[problem]}</li>
              ))}
            </ul>
          )}
        </>
      );
    case 'legal-texts':
      return (
        <p className="row">
          {Object.entries(texts.legalLinks).map(([path, title]) => (
            <a key={path} href={path}>
              {title}
            </a>
          ))}
        </p>
      );
    case 'mail':
      return site.sendsMail ? <TestMail /> : <p>{texts.mail.off}</p>;
    case 'backup':
      return <BackupTest test={backupTest} lastBackupAt={lastBackupAt} />;
    case 'demonstration':
      return (
        <p>
          {texts.demonstration(demonstration)}{' '}
          {demonstration > 0 && <a href="/admin/polls">{texts.removeDemonstration}</a>}
        </p>
      );
  }
}

const isPlain = ({ step, state }: ChecklistData['steps'][number]) => step === 'public-url' && state === 'problem';
