import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { expect, test } from 'vitest';

const configFile = resolve('.config/oxlint.config.ts');

/** For each rule that needs types: code that violates it. */
const planted: Record<string, string> = {
  'await-thenable': 'export const x = await 5;',
  'dot-notation': "const o = { a: 1 }; export const x = o['a'];",
  'no-array-delete': 'export const x = [1]; delete x[0];',
  'no-base-to-string': 'export const x = String({});',
  'no-confusing-void-expression': 'declare const f: () => void; export const x = f();',
  'no-deprecated': '/** @deprecated */ const old = 1; export const x = old;',
  'no-duplicate-type-constituents': 'export type X = string | string;',
  'no-floating-promises': 'Promise.resolve();',
  'no-for-in-array': 'for (const i in [1]) console.log(i);',
  'no-generated-empty-object-type': "export type X = Omit<{ a: 1 }, 'a'>;",
  'no-implied-eval': "setTimeout('x()', 1);",
  'no-meaningless-void-operator': 'declare const f: () => void; void f();',
  'no-misused-promises': 'if (Promise.resolve(true)) console.log();',
  'no-misused-spread': "export const x = [...'text'];",
  'no-mixed-enums': "export enum E { A = 1, B = 'b' }",
  'no-redundant-type-constituents': 'export type X = unknown | string;',
  'no-unnecessary-boolean-literal-compare': 'declare const b: boolean; export const x = b === true;',
  'no-unnecessary-template-expression': "export const x = `${'a'}`;",
  'no-unnecessary-type-arguments': 'declare const f: <T = string>(x?: T) => T; export const x = f<string>();',
  'no-unnecessary-type-assertion': 'declare const s: string; export const x = s as string;',
  'no-unnecessary-type-conversion': 'declare const s: string; export const x = String(s);',
  'no-unnecessary-type-parameters': 'export declare const f: <T>(x: T) => void;',
  'no-unsafe-argument': 'declare const a: any; declare const f: (x: string) => void; f(a);',
  'no-unsafe-assignment': 'declare const a: any; export const x: string = a;',
  'no-unsafe-call': 'declare const a: any; a();',
  'no-unsafe-enum-assignment': 'enum E { A = 1 } export const x: E = 1;',
  'no-unsafe-enum-comparison': "enum E { A = 'a' } declare const e: E; export const x = e === 'a';",
  'no-unsafe-member-access': 'declare const a: any; export const x: unknown = a.b;',
  'no-unsafe-return': 'declare const a: any; export const f = (): string => a;',
  'no-unsafe-unary-minus': 'declare const s: string; export const x = -s;',
  'no-useless-default-assignment': 'export const f = ({ a = 1 }: { a: number }) => a;',
  'non-nullable-type-assertion-style': 'declare const s: string | undefined; export const x = s as string;',
  'only-throw-error': "throw 'text';",
  'prefer-find': 'export const x = [1].filter((n) => n > 0)[0];',
  'prefer-includes': "export const x = 'a'.indexOf('b') !== -1;",
  'prefer-nullish-coalescing': "declare const s: string | null; export const x = s || 'a';",
  'prefer-optional-chain': 'declare const o: { a: string } | undefined; export const x = o && o.a;',
  'prefer-promise-reject-errors': "export const x = Promise.reject('text');",
  'prefer-reduce-type-parameter': 'export const x = [1].reduce((all, n) => [...all, n], [] as number[]);',
  'prefer-regexp-exec': "export const x = 'a'.match(/a/);",
  'prefer-return-this-type': 'export class C { f(): C { return this; } }',
  'prefer-string-starts-ends-with': "declare const s: string; export const x = s[0] === 'a';",
  'related-getter-setter-pairs':
    "export class C { get a(): string { return ''; } set a(x: number) { console.log(x); } }",
  'require-await': 'export const f = async () => 1;',
  'restrict-plus-operands': "export const x = 1 + 'a';",
  'restrict-template-expressions': 'declare const o: string[]; export const x = `${o}`;',
  'return-await': 'export async function f() { try { return Promise.resolve(1); } catch { return 2; } }',
  'unbound-method': 'class C { f() { return this; } } export const x = new C().f;',
  'use-unknown-in-catch-callback-variable': 'Promise.resolve().catch((error) => { console.log(error); });',
};

/** What oxlint reports for a file of each of these texts: names of rules, and numbers of errors of the compiler. */
function linted(texts: Readonly<Record<string, string>>): Record<string, string[]> {
  const root = process.cwd();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'weathervane-lint-')));
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const files = Object.keys(texts).map((name) => `${name}.ts`);
    for (const [place, text] of Object.values(texts).entries())
      writeFileSync(join(folder, files[place]!), `${text}\nexport {};\n`);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: join(root, 'tsconfig.json'), files }));
    const args = [join(root, 'node_modules/oxlint/bin/oxlint'), '-c', configFile, '--format', 'json', ...files];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('');
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; code: string }[] };
    const found: Record<string, string[]> = Object.fromEntries(Object.keys(texts).map((name) => [name, []]));
    for (const { filename, code } of diagnostics)
      found[basename(filename, '.ts')]?.push(/\((.*)\)/.exec(code)?.[1] ?? code);
    return found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('every rule that needs types is proven by a planted violation', async () => {
  const { default: config } = (await import(configFile)) as { default: { rules: Record<string, unknown> } };
  const rules = Object.entries(config.rules).filter(([, setting]) => setting !== 'off');
  expect(rules.map(([name]) => name).sort()).toEqual(
    Object.keys(planted)
      .map((name) => `typescript/${name}`)
      .sort(),
  );
  const found = linted({ ...planted, 'a type error': "export const votes: number = 'five';" });
  expect(Object.keys(planted).filter((name) => found[name]?.includes(name) !== true)).toEqual([]);
  expect(found['a type error']).toEqual(['TS2322']);
}, 60_000);

test('the untyped rules are on in ESLint', async () => {
  const { rules } = (await new ESLint({ overrideConfigFile: '.config/eslint.config.js' }).calculateConfigForFile(
    'api/app.ts',
  )) as { rules: Record<string, [number]> };
  const strictest = [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked].flat();
  const all = strictest.flatMap(({ rules }) => Object.entries((rules ?? {}) as Record<string, unknown>));
  // Typed rules are proven above, or switched off on purpose.
  const off = [
    'consistent-type-definitions',
    'no-non-null-assertion',
    'no-unnecessary-condition',
    'no-unsafe-class-instance-assignment',
  ];
  const elsewhere = new Set([...Object.keys(planted), ...off].map((name) => `@typescript-eslint/${name}`));
  const on = all.filter(([name, setting]) => setting !== 'off' && !elsewhere.has(name)).map(([name]) => name);
  expect(on).toContain('@typescript-eslint/no-explicit-any');
  expect(on.filter((name) => rules[name]?.[0] !== 2)).toEqual([]);
});
