import { useId, useState } from 'react';
import type { EditedPoll } from '#api/polls/poll-editor.contract.ts';
import { adminErrorMessage, callAdmin, refreshAdmin, useAdminMutation } from '#site/admin/admin-session.ts';
import listStyles from '#site/admin/AdminLists.module.css';
import { ApiError } from '#site/client/api.ts';
import { Field } from '#site/ui/Field.tsx';
import { formatMoment, siteZone } from '#site/ui/format.ts';
import { SelectField } from '#site/ui/SelectField.tsx';
import { toast } from '#site/ui/toasts.ts';
import { pollEditorTexts } from '#texts/poll-editor.ts';
import styles from './PollEditor.module.css';

const texts = pollEditorTexts.repeat;

/** How the series of a poll is repeated. */
export function PollRecurrence({ poll: { id, recurrence } }: { readonly poll: EditedPoll }) {
  const field = useId();
  const [rule, setRule] = useState({
    every: String(recurrence?.every ?? 1),
    unit: recurrence?.unit ?? 'week',
    until: recurrence?.until ?? '',
    timeZone: recurrence?.timeZone ?? siteZone(),
  });
  const change = (part: Partial<typeof rule>) => setRule({ ...rule, ...part });
  const set = useAdminMutation(
    (isOn: boolean) => {
      const { every, until, ...rest } = rule;
      const body = { rule: isOn ? { ...rest, every: Number(every), until: until === '' ? null : until } : null };
      return callAdmin('setRecurrence', { params: { id }, body });
    },
    async ({ recurrence: now }) => {
      await refreshAdmin();
      toast(now ? texts.saved : texts.stopped);
    },
  );
  const submit = (isOn: boolean) => set.isPending || set.mutate(isOn);
  return (
    <details open={recurrence !== undefined}>
      <summary>{texts.heading}</summary>
      <p className="muted small">{texts.text}</p>
      {recurrence && (
        <p>{texts.now(recurrence.every, recurrence.unit, recurrence.timeZone, formatMoment(recurrence.newestAt))}</p>
      )}
      <form
        className={styles.part}
        aria-label={texts.heading}
        onSubmit={(event) => {
          event.preventDefault();
          submit(true);
        }}
      >
        <Field id={`${field}-every`} label={texts.every}>
          {(control) => (
            <input
              {...control}
              className="input"
              type="number"
              required
              min={1}
              max={26}
              value={rule.every}
              onChange={({ target }) => change({ every: target.value })}
            />
          )}
        </Field>
        <SelectField
          label={texts.unit}
          value={rule.unit}
          choices={[
            ['week', texts.units.week],
            ['month', texts.units.month],
          ]}
          onChange={(unit) => change({ unit })}
        />
        <Field id={`${field}-until`} label={texts.until} hint={texts.untilHint}>
          {(control) => (
            <input
              {...control}
              className="input"
              type="date"
              value={rule.until}
              onChange={({ target }) => change({ until: target.value })}
            />
          )}
        </Field>
        <SelectField
          label={texts.timeZone}
          value={rule.timeZone}
          choices={[...new Set([rule.timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((zone) => [
            zone,
            zone,
          ])}
          onChange={(timeZone) => change({ timeZone })}
        />
        <p className="row">
          <button type="submit" className="button" aria-disabled={set.isPending}>
            {texts.save}
          </button>
          {recurrence && (
            <button type="button" className="button" aria-disabled={set.isPending} onClick={() => submit(false)}>
              {texts.stop}
            </button>
          )}
        </p>
        {set.error && (
          <p className={listStyles.problem} role="alert">
            {(set.error instanceof ApiError ? set.error.body?.errors?.[0]?.message : undefined) ??
              adminErrorMessage(set.error)}
          </p>
        )}
      </form>
    </details>
  );
}
