import { createRequire } from 'node:module';
import { Ajv2020, _ } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import type { Plugin } from 'vite';
import { endpoints } from '#api/endpoints.contract.ts';

/** Gives pages the constants of a contract that they import, and not TypeBox, which makes its schemas. */
export function contractConstants(): Plugin {
  return {
    name: 'contract-constants',
    resolveId(id, importer = '') {
      if (id === 'typebox' && this.environment.config.command === 'build')
        this.error(`Pages and their workers must not load TypeBox: ${importer} imports it.`);
    },
    load: (id) => (/\/api\/.*\.contract\.ts$/.test(id) ? constantsOf(id) : undefined),
  };
}

/** The source of a module with the constants of a contract, its schemas among them; functions belong in the domain. */
async function constantsOf(file: string): Promise<string> {
  const contract = Object.entries((await import(file)) as Record<string, unknown>);
  return contract
    .filter(([, value]) => typeof value !== 'function')
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}

const prefix = '\0virtual:check/';

/**
 * Provides `virtual:check/NAME`, whose default export validates a value like the server (api/platform/validation). ajv
 * compiles the schema with this `$id` during the build: in the browser it would need `new Function` and forty kilobytes.
 */
export function contractChecks(): Plugin {
  return {
    name: 'contract-checks',
    resolveId: (id) => (id.startsWith(prefix.slice(1)) ? `\0${id}` : undefined),
    load: (id) => (id.startsWith(prefix) ? checkSource(id.slice(prefix.length)) : undefined),
  };
}

// How ajv’s code counts characters; by default it loads its own function with `require`.
const counting = createRequire(import.meta.url)('ajv/dist/runtime/ucs2length') as { default: { code: string } };
counting.default.code = 'length';
const length = 'const length = (text) => [...text].length;';
const formats = "import { fullFormats as formats } from 'ajv-formats/dist/formats.js';";

/** The source of the validator of the schema with this `$id`. */
export function checkSource(name: string): string {
  const schema = schemaNamed(name);
  if (schema === undefined) throw new Error(`No schema of the contract has the $id "${name}".`);
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: false,
    useDefaults: true,
    // The API validates the same schemas when it starts; here it would cost every build a third of a second.
    validateSchema: false,
    code: { source: true, esm: true, formats: _`formats` },
  });
  addFormats(ajv);
  const code = standaloneCode(ajv, ajv.compile(schema));
  const required = /\brequire\([^)]*\)/.exec(code);
  if (required !== null) throw new Error(`ajv's code requires a module that browsers don't have: ${required[0]}`);
  return [/\bformats[.[]/.test(code) ? formats : '', /\blength\b/.test(code) ? length : '', code].join('\n');
}

/** The schema with this `$id` in the input or output of an endpoint. */
export function schemaNamed(name: string, within: object = endpoints): object | undefined {
  if ('$id' in within && within.$id === name) return within;
  const parts = Object.values(within).filter((part): part is object => typeof part === 'object' && part !== null);
  return parts.map((part) => schemaNamed(name, part)).find((found) => found !== undefined);
}
