import { useId } from 'react';
import { Field } from '#site/ui/Field.tsx';
import { zoneTexts as texts } from '#texts/desk.ts';
import { AdminSection } from './AdminSection.tsx';
import { chooseZone, deviceZone, useDeskZone } from './desk-time.ts';

/** Chooses the time zone of all times on the desk, kept on this device. */
export function TimeZone() {
  const id = useId();
  const zone = useDeskZone();
  const device = deviceZone();
  return (
    <AdminSection anchor="time-zone" heading={texts.heading} text={texts.text}>
      <Field id={id} label={texts.label} hint={texts.hint}>
        {(control) => (
          <select
            {...control}
            className="input"
            value={zone === device ? '' : zone}
            onChange={({ target }) => chooseZone(target.value === '' ? null : target.value)}
          >
            <option value="">{texts.device(device)}</option>
            {[...new Set(['UTC', zone, ...Intl.supportedValuesOf('timeZone')])].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </Field>
    </AdminSection>
  );
}
