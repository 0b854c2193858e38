import { toast } from '#site/ui/toasts.ts';
import { recoveryCodeTexts as texts } from '#texts/account-security.ts';
import styles from './RecoveryCodes.module.css';
import { saveFile } from '#site/client/save-file.ts';

interface RecoveryCodesProps {
  readonly username: string;
  readonly codes: readonly string[];
}

/** New recovery codes, with buttons that copy, download, and print them. */
export function RecoveryCodes({ username, codes }: RecoveryCodesProps) {
  const content = () => texts.file(username, new URL('/auth/recover', location.href).href, codes);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(content());
      toast(texts.copied);
    } catch {
      toast({ ...texts.copyFailed, destructive: true });
    }
  };
  return (
    <div className={styles.codes}>
      <ol className={styles.list} aria-label={texts.list}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="row no-print">
        <button type="button" className="button" onClick={() => void copy()}>
          {texts.copy}
        </button>
        <button
          type="button"
          className="button"
          onClick={() => saveFile(texts.fileName, new Blob([content()], { type: 'text/plain' }))}
        >
          {texts.download}
        </button>
        <button type="button" className="button" onClick={() => print()}>
          {texts.print}
        </button>
      </div>
    </div>
  );
}
