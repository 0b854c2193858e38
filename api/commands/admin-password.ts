import { hasOwner, isSharedPasswordOn, switchSharedPassword } from '#api/admin/operators/shared-password.service.ts';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { adminPasswordCommandTexts as texts } from '#texts/operators.ts';
import { runCommand } from './command-line.ts';
import { openInstallation, prepareDatabase } from './prepare.ts';

/** The exit code for invalid arguments. */
const usageError = 2;

const verbs = ['on', 'off', 'status'] as const;
type Verb = (typeof verbs)[number];
const isVerb = (word: string): word is Verb => (verbs as readonly string[]).includes(word);

await runCommand({
  help: texts.usage,
  positionals: true,
  options: {},
  async run(_, [verb, ...more]) {
    if (verb === undefined) return refuse(texts.noVerb);
    if (!isVerb(verb)) return refuse(texts.unknownVerb(verb));
    if (more[0] !== undefined) return refuse(texts.tooMany(more[0]));
    return carryOut(verb);
  },
});

function refuse(sentence: string, code = usageError): number {
  console.error(sentence);
  return code;
}

/** Turns the shared password on or off, and prints whether it is on. */
async function carryOut(verb: Verb): Promise<number> {
  const config = readConfig();
  const db = openInstallation(config);
  try {
    await prepareDatabase(db, config);
    if (verb === 'off' && !(await hasOwner(db))) return refuse(texts.noOwner, 1);
    if (verb !== 'status')
      await switchSharedPassword({ db, clock: systemClock }, { id: null, name: 'terminal' }, verb === 'on');
    console.log((await isSharedPasswordOn(db)) ? texts.on : texts.off);
    return 0;
  } finally {
    await db.destroy();
  }
}
