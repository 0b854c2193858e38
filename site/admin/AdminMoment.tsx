import { useState } from 'react';
import { readLocalTime } from '#domain/time-zone.ts';
import { siteZone } from '#site/ui/format.ts';
import { MomentField } from '#site/ui/MomentField.tsx';
import { toLocalTime } from './admin-time.ts';

interface AdminMomentProps {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  /** ISO 8601; null if it is blank or can’t be used. */
  readonly value: string | null;
  readonly isEnd: boolean;
  readonly readOnly?: boolean;
  readonly onChange: (value: string | null) => void;
}

/** A date with an optional time, in the time zone of the site. */
export function AdminMoment({ value, isEnd, onChange, ...field }: AdminMomentProps) {
  const zone = siteZone();
  // What is typed stays as it is while it means the value, such as a date whose time is still missing.
  const [typed, setTyped] = useState('');
  const read = (text: string) => {
    const found = readLocalTime(text, zone, isEnd);
    return typeof found === 'number' ? new Date(found).toISOString() : null;
  };
  return (
    <MomentField
      {...{ ...field, zone, isEnd }}
      value={value !== read(typed) && value !== null ? toLocalTime(value) : typed}
      onChange={(text) => {
        setTyped(text);
        onChange(read(text));
      }}
    />
  );
}
