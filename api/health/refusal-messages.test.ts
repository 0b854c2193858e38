import { describe, expect, test } from 'vitest';
import { endpoints } from '#api/endpoints.contract.ts';
import type { Endpoint } from '#contract/route.ts';
import { compileSchema } from '#platform/validation.ts';
import { fieldErrors } from '#texts/field-errors.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
}

/** An invalid value for every keyword of the schemas in the contract. */
const wrong = [null, 7, 1.5, -1, 1e12, true, '', 'a\0b', '#', 'x'.repeat(300_000), {}, [], [7, 7]];
/** Lists that are too long, too. */
const many = [7, '', 'a\0b', {}].map((value) => Array.from({ length: 99 }, () => value));

/** Bodies with one invalid value each, in objects and lists. */
function wrongIn(schema: Schema): unknown[] {
  const parts = [schema, ...(schema.anyOf ?? [])];
  const inside = parts.flatMap(({ properties = {}, items }) => [
    ...Object.entries(properties).flatMap(([name, inner]) => wrongIn(inner).map((value) => ({ [name]: value }))),
    ...(items ? [...wrongIn(items).map((value) => [value]), ...many] : []),
  ]);
  return [...wrong, { foo: 1 }, ...inside];
}

/** Technical words: operators, ajv's own messages, and names like `optionId`. */
const unfit =
  /[<>]=|\bNOT\b|must (?:be|match) (?:string|number|integer|array|object|null|pattern|format)\b|[a-z][A-Z]|_/;

const calls = (Object.entries(endpoints) as [string, Endpoint][]).flatMap(([name, { body, query }]) => [
  ...(body === undefined ? [] : [[`${name}, body`, body, 'json'] as const]),
  ...(query === undefined ? [] : [[`${name}, query`, query, 'text'] as const]),
]);

describe('every invalid request gets an understandable error message', () => {
  test.each(calls)('%s', (_, schema, from) => {
    const validate = compileSchema(schema, from);
    const messages = new Set(
      wrongIn(schema as Schema).flatMap((value) => {
        if (validate(structuredClone(value))) return [];
        const found = fieldErrors(validate.errors);
        if (found.length === 0) throw new Error(`no message for ${JSON.stringify(value).slice(0, 200)}`);
        return found.map(({ message }) => message);
      }),
    );
    expect(messages.size).toBeGreaterThan(0);
    for (const message of messages) {
      expect(message).toMatch(/^[A-Z“]/);
      // Allowed values are listed as they are sent.
      expect(message.replace(/ one of .*/, '')).not.toMatch(unfit);
    }
  });
});
