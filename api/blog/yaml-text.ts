import { CORE_SCHEMA, load, YAMLException } from 'js-yaml';

/** What a piece of YAML says, or why it is none and in which of its lines (from 1). */
export type YamlText =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string; readonly line: number };

/** Reads YAML as the core schema has it: days and "yes" stay texts. */
export function readYaml(text: string): YamlText {
  try {
    return { ok: true, value: load(text, { schema: CORE_SCHEMA }) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return { ok: false, why: error.reason, line: (error.mark?.line ?? 0) + 1 };
  }
}
