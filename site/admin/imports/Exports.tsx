import { useId, useState } from 'react';
import { exportFormats, exportKinds, exportSources, exportStates } from '#contract/exports.ts';
import type { ExportFormat, ExportKind, ExportSource } from '#contract/exports.ts';
import { fetchAdminFile, useAdminMutation } from '#site/admin/admin-session.ts';
import styles from '#site/admin/Admin.module.css';
import { AdminSection } from '#site/admin/AdminSection.tsx';
import { saveFile } from '#site/client/save-file.ts';
import { Field } from '#site/ui/Field.tsx';
import { exportTexts as texts } from '#texts/imports.ts';
import importStyles from './Imports.module.css';

/** Downloads polls, results, or published ballots. */
export function Exports() {
  const id = useId();
  const [source, setSource] = useState<ExportSource>('weekly');
  const [kind, setKind] = useState<ExportKind>('polls');
  const [state, setState] = useState('all');
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
      <div className={importStyles.format}>
        <Field id={`${id}-source`} label={texts.source} hint={texts.sourceHints[source]}>
          {(control) => (
            <select
              {...control}
              className="input"
              value={source}
              onChange={({ target }) => setSource(target.value as ExportSource)}
            >
              {exportSources.map((name) => (
                <option key={name} value={name}>
                  {texts.sources[name]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field id={`${id}-kind`} label={texts.kind} hint={texts.hints[source][kind]}>
          {(control) => (
            <select
              {...control}
              className="input"
              value={kind}
              onChange={({ target }) => setKind(target.value as ExportKind)}
            >
              {exportKinds.map((name) => (
                <option key={name} value={name}>
                  {texts.kinds[name]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field id={`${id}-state`} label={texts.state}>
          {(control) => (
            <select
              {...control}
              className="input"
              value={state}
              disabled={poll.trim() !== ''}
              onChange={({ target }) => setState(target.value)}
            >
              {exportStates.map((name) => (
                <option key={name} value={name}>
                  {texts.states[name]}
                </option>
              ))}
            </select>
          )}
        </Field>
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
