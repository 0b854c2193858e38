import { optionalImportColumns, requiredImportColumns } from '#contract/poll-import.ts';
import { importTexts as texts } from '#texts/admin.ts';
import styles from './Admin.module.css';

/** How a file of polls is written. */
export function FormatGuide() {
  return (
    <details className={styles.guide}>
      <summary>{texts.guide}</summary>
      <dl>
        <dt>{texts.required}</dt>
        <dd>
          <Names names={requiredImportColumns} />
        </dd>
        <dt>{texts.optional}</dt>
        <dd>
          <Names names={optionalImportColumns} />
        </dd>
        <dt>{texts.exampleTitle}</dt>
        <dd>
          <code>{texts.example}</code>
        </dd>
      </dl>
      <ul>
        {texts.guideItems.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </details>
  );
}

function Names({ names }: { readonly names: readonly string[] }) {
  return names.map((name, place) => (
    <span key={name}>
      {place > 0 && ', '}
      <code>{name}</code>
    </span>
  ));
}
