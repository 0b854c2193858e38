import { useState } from 'react';
import type { EditedPoll } from '#api/polls/poll-editor.contract.ts';
import { callAdmin } from '#site/admin/admin-session.ts';
import { AdminForm } from '#site/admin/AdminForm.tsx';
import { formatMoment, siteZone } from '#site/ui/format.ts';
import { choicesIn } from '#site/ui/SelectField.tsx';
import { pollEditorTexts } from '#texts/poll-editor.ts';
import styles from './PollEditor.module.css';

const texts = pollEditorTexts.repeat;

/** How the series of a poll is repeated. */
export function PollRecurrence({ poll: { id, recurrence } }: { readonly poll: EditedPoll }) {
  const { every = 1, unit = 'week', until, timeZone = siteZone() } = recurrence ?? {};
  // The form stays as it is once it is sent.
  const [wasRepeated] = useState(recurrence !== undefined);
  const zones = [...new Set([timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  return (
    <section className={styles.repeat} aria-label={texts.heading}>
      <details open={wasRepeated}>
        <summary>{texts.heading}</summary>
        <div className="stack">
          <p className="muted small">{texts.text}</p>
          {recurrence && <p>{texts.now(every, unit, timeZone, formatMoment(recurrence.newestAt))}</p>}
          <AdminForm
            className={styles.part}
            fields={[
              {
                ...{ name: 'rule.every', label: texts.every, value: String(every) },
                input: { type: 'number', min: 1, max: 26 },
              },
              { name: 'rule.unit', label: texts.unit, value: unit, choices: choicesIn(texts.units) },
              {
                ...{ name: 'rule.until', label: texts.until, hint: texts.untilHint, value: until ?? '' },
                input: { type: 'date' },
              },
              {
                name: 'rule.timeZone',
                label: texts.timeZone,
                value: timeZone,
                choices: zones.map((zone) => [zone, zone]),
              },
            ]}
            submit={[['on', texts.save], ...(recurrence ? [['off', texts.stop] as const] : [])]}
            send={async (field) => {
              const rule = {
                ...{ every: Number(field('rule.every')), unit: field('rule.unit') as keyof typeof texts.units },
                ...{ until: field('rule.until') || null, timeZone: field('rule.timeZone') },
              };
              const { recurrence: now } = await callAdmin('setRecurrence', {
                params: { id },
                body: { rule: field('submit') === 'off' ? null : rule },
              });
              return now ? texts.saved : texts.stopped;
            }}
          />
        </div>
      </details>
    </section>
  );
}
