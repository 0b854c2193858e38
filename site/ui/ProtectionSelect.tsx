import type { ComponentProps } from 'react';
import { pollProtections } from '#contract/vocabulary.ts';
import type { PollProtection, Protection } from '#contract/vocabulary.ts';
import { protectionNames } from '#texts/protection.ts';

interface ProtectionSelectProps extends Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'children'> {
  readonly value: Protection;
  /** Levels that can be chosen; the chosen one is always there. */
  readonly offered: readonly Protection[];
  /** Levels that are shown, but can’t be chosen. */
  readonly isRefused?: (level: PollProtection) => boolean;
  readonly onChange: (level: PollProtection) => void;
}

/** Chooses what votes on a poll need. */
export function ProtectionSelect({ value, offered, isRefused, onChange, ...control }: ProtectionSelectProps) {
  return (
    <select
      {...control}
      className="input"
      value={value}
      onChange={({ target }) => onChange(pollProtections.find((level) => level === target.value)!)}
    >
      {pollProtections
        .filter((level) => offered.includes(level) || level === value)
        .map((level) => (
          <option key={level} value={level} disabled={isRefused?.(level)}>
            {protectionNames[level]}
          </option>
        ))}
    </select>
  );
}
