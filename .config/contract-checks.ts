import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import type { Plugin } from 'vite';
import {
  loginSchema,
  passwordChangeSchema,
  registrationSchema,
  userChangeSchema,
  userDeletionSchema,
} from '#contract/account.ts';
import {
  emailChangeSchema,
  passwordConfirmationSchema,
  passwordResetSchema,
  recoverySchema,
  resetRequestSchema,
} from '#contract/account-security.ts';
import { newCommentSchema } from '#contract/comment.ts';
import { newCommunityPollSchema } from '#contract/community-poll.ts';
import { newInviteSchema } from '#contract/invitation.ts';
import { reportSchema } from '#contract/moderation.ts';
import { pollContentSchema } from '#contract/poll-editor.ts';

/** Schemas of forms, which the browser validates, too, by the names of their virtual modules. */
export const checkedSchemas = {
  login: loginSchema,
  registration: registrationSchema,
  userChange: userChangeSchema,
  passwordChange: passwordChangeSchema,
  userDeletion: userDeletionSchema,
  passwordConfirmation: passwordConfirmationSchema,
  recovery: recoverySchema,
  passwordReset: passwordResetSchema,
  emailChange: emailChangeSchema,
  resetRequest: resetRequestSchema,
  newCommunityPoll: newCommunityPollSchema,
  newComment: newCommentSchema,
  newInvite: newInviteSchema,
  report: reportSchema,
  pollContent: pollContentSchema,
} as const;

const prefix = 'virtual:contract-check/';

/**
 * Provides `virtual:contract-check/NAME`, whose default export validates a value like the server (api/platform/validation).
 * ajv compiles it during the build: in the browser it would need `new Function` and forty kilobytes.
 */
export function contractChecks(): Plugin {
  return {
    name: 'contract-checks',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
    load: (id) => (id.startsWith(`\0${prefix}`) ? checkSource(id.slice(prefix.length + 1)) : undefined),
  };
}

/** The source of the validator of one schema. */
export function checkSource(name: string): string {
  const schema = (checkedSchemas as Readonly<Record<string, object>>)[name];
  if (schema === undefined)
    throw new Error(`No schema is checked by the name "${name}": see .config/contract-checks.ts.`);
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: false,
    useDefaults: true,
    // The API validates the same schemas when it starts; here it would cost every build a third of a second.
    validateSchema: false,
    code: { source: true, esm: true },
  });
  addFormats(ajv);
  return asModule(standaloneCode(ajv, ajv.compile(schema)));
}

/** Replacements of `require` calls in ajv's code: string length, and formats that are not regular expressions. */
const replacements: readonly [wanted: string, by: string, imports?: string][] = [
  ['require("ajv/dist/runtime/ucs2length").default', '(text) => [...text].length'],
  [
    'require("ajv-formats/dist/formats").fullFormats',
    'fullFormats',
    "import { fullFormats } from 'ajv-formats/dist/formats.js';",
  ],
];

function asModule(code: string): string {
  let made = code;
  for (const [wanted, by, imports = ''] of replacements)
    if (made.includes(wanted)) made = imports + made.replaceAll(wanted, by);
  const left = /\brequire\([^)]*\)/.exec(made);
  if (left !== null) throw new Error(`ajv's code requires a module that browsers don't have: ${left[0]}`);
  return made;
}
