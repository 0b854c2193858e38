import { logDifferenceTexts as texts } from '#texts/verification.ts';

interface LogDifferenceNoteProps {
  readonly poll: { readonly id: string; readonly differsFromLog?: boolean };
  /** Address of the poll's page. */
  readonly path?: string;
}

/** Says that a result doesn’t match its log; nothing if it does. */
export function LogDifferenceNote({ poll: { id, differsFromLog }, path = `/poll/${id}` }: LogDifferenceNoteProps) {
  if (differsFromLog !== true) return null;
  return (
    <p className="notice notice--error" role="note">
      {texts.line} <a href={`${path}/recount`}>{texts.recount}</a>
    </p>
  );
}
