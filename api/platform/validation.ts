import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

function ajvFor(options: { coerceTypes: boolean }): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, useDefaults: true, ...options });
  addFormats(ajv);
  return ajv;
}

// Query and path values arrive as text and are coerced; bodies must have the right types.
const coercing = ajvFor({ coerceTypes: true });
const exact = ajvFor({ coerceTypes: false });

// Compiling takes milliseconds, and schemas are constants: each is compiled once per process.
const compiled = { text: new WeakMap<object, ValidateFunction>(), json: new WeakMap<object, ValidateFunction>() };

/** Compiles a schema; `from` is whether values arrive as text (path, query) or as JSON. */
export function compileSchema<T>(schema: object, from: 'text' | 'json'): ValidateFunction<T> {
  const known = compiled[from].get(schema) as ValidateFunction<T> | undefined;
  if (known) return known;
  const validate = (from === 'text' ? coercing : exact).compile<T>(withoutIds(schema) as object);
  compiled[from].set(schema, validate);
  return validate;
}

/** `$id`s name components of the OpenAPI document; ajv would refuse the same one twice. */
function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !(key === '$id' && typeof value === 'string'))
      .map(([key, value]) => [key, withoutIds(value)]),
  );
}
