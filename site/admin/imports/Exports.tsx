import { useId, useState } from 'react';
import { exportFormats } from '#api/polls/exports/exports.contract.ts';
import type { ExportFormat, ExportKind, ExportSource, ExportState } from '#api/polls/exports/exports.contract.ts';
import { fetchAdminFile, useAdminMutation } from '#site/admin/admin-session.ts';
import styles from '#site/admin/Admin.module.css';
import { AdminSection } from '#site/admin/AdminSection.tsx';
import { saveFile } from '#site/client/save-file.ts';
import { Field } from '#site/ui/Field.tsx';
import { choicesIn, SelectField } from '#site/ui/SelectField.tsx';
import { exportTexts as texts } from '#texts/imports.ts';
import importStyles from './Imports.module.css';

/** Downloads polls, results, or published ballots. */
export function Exports() {
  const id = useId();
  const [source, setSource] = useState<ExportSource>('weekly');
  const [kind, setKind] = useState<ExportKind>('polls');
  const [state, setState] = useState<ExportState>('all');
  const [poll, setPoll] = useState('');
  const { mutate, isPending } = useAdminMutation(
    async (format: ExportFormat) => {
      const only = poll.trim();
      const query = { source, ...(only === '' ? { state } : { poll: only }) };
      const name = `${only === '' ? source : only}-${kind}.${format}`;
      return { name, content: await fetchAdminFile('exportPolls', { params: { file: `${kind}.${format}` }, query }) };
    },
    ({ name, content }) => saveFile(name, content),
  );
  return (
    <AdminSection anchor="exports" heading={texts.heading} text={texts.text}>
      <div className={importStyles.pairs}>
        <SelectField
          label={texts.kind}
          hint={texts.hints[source][kind]}
          value={kind}
          choices={choicesIn(texts.kinds)}
          onChange={setKind}
        />
        <SelectField
          label={texts.source}
          hint={texts.sourceHints[source]}
          value={source}
          choices={choicesIn(texts.sources)}
          onChange={setSource}
        />
        <SelectField
          label={texts.state}
          value={state}
          choices={choicesIn(texts.states)}
          disabled={poll.trim() !== ''}
          onChange={setState}
        />
        <Field id={`${id}-poll`} label={texts.poll} note={texts.optional} hint={texts.pollHint}>
          {(control) => (
            <input
              {...control}
              className="input"
              value={poll}
              maxLength={80}
              autoComplete="off"
              onChange={({ target }) => setPoll(target.value)}
            />
          )}
        </Field>
      </div>
      <div className={styles.actions}>
        {exportFormats.map((format) => (
          <button
            key={format}
            type="button"
            className="button"
            aria-disabled={isPending}
            onClick={() => isPending || mutate(format)}
          >
            {texts[format]}
          </button>
        ))}
      </div>
      <p className="muted small" role="status">
        {isPending && texts.pending}
      </p>
    </AdminSection>
  );
}
