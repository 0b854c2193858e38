import { useUserSummary } from '#site/client/use-user-summary.ts';
import { formatCount } from '#site/ui/format.ts';
import { accountMenuTexts } from '#texts/accounts.ts';
import styles from './ProgressBox.module.css';

/** What a member has done so far, in three figures. */
export function ProgressBox({ shown }: { readonly shown: boolean }) {
  const { data, isError } = useUserSummary(shown);
  const figures = [
    [accountMenuTexts.badges, data && accountMenuTexts.badgesOf(formatCount(data.badges))],
    [accountMenuTexts.polls, data && formatCount(data.polls)],
    [accountMenuTexts.activities, data && formatCount(data.activities)],
  ] as const;

  return (
    <dl className={styles.box} aria-label={accountMenuTexts.figures} aria-busy={shown && !data && !isError}>
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
