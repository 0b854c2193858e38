import { removeAllPasskeys } from '#api/members/accounts/passkeys.service.ts';
import { removePicture } from '#api/members/accounts/pictures.service.ts';
import { createResetLink, findMembers } from '#api/members/accounts/reset-links.service.ts';
import { removeSessionsOf } from '#api/members/accounts/session-store.service.ts';
import { mailOutbox } from '#api/mail/outbox.service.ts';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { accountsCommandTexts as texts } from '#texts/members.ts';
import { runCommand } from './command-line.ts';
import { openInstallation, prepareDatabase } from './prepare.ts';

/** The exit code for invalid arguments. */
const usageError = 2;

/** As the audit log names who uses a command. */
const actor = 'terminal';

const verbs = ['reset', 'sign-out', 'remove-picture', 'remove-passkeys'] as const;
type Verb = (typeof verbs)[number];
const isVerb = (word: string): word is Verb => (verbs as readonly string[]).includes(word);

await runCommand({
  help: texts.usage,
  positionals: true,
  options: {},
  async run(_, [verb, name, ...more]) {
    if (verb === undefined) return refuse(texts.noVerb);
    if (!isVerb(verb)) return refuse(texts.unknownVerb(verb));
    if (name === undefined) return refuse(texts.noName(verb));
    if (more.length > 0) return refuse(texts.tooMany);
    return actOn(name, verb);
  },
});

function refuse(sentence: string, code = usageError): number {
  console.error(sentence);
  return code;
}

/** Prints a reset link for a member, ends the member’s sessions, or removes the member’s picture or passkeys. */
async function actOn(name: string, verb: Verb): Promise<number> {
  const config = readConfig();
  const db = openInstallation(config);
  try {
    await prepareDatabase(db, config);
    const members = await findMembers(db, name, systemClock.now());
    const [member] = members;
    if (member === undefined) return refuse(texts.notFound(name), 1);
    if (members.length > 1)
      return refuse(
        texts.several(
          name,
          members.map(({ username }) => username),
        ),
        1,
      );
    if (verb === 'sign-out') {
      await removeSessionsOf(db, member.id);
      console.log(texts.signedOut(member.username));
      return 0;
    }
    if (verb === 'remove-picture') {
      await removePicture({ db, clock: systemClock }, member.id, actor);
      console.log(texts.pictureRemoved(member.username));
      return 0;
    }
    if (verb === 'remove-passkeys') {
      const mail = mailOutbox({ clock: systemClock, on: config.smtpUrl !== null });
      await removeAllPasskeys({ db, clock: systemClock, mail }, member.id, actor);
      console.log(texts.passkeysRemoved(member.username));
      return 0;
    }
    const { url, expiresAt } = await createResetLink({ db, clock: systemClock, config }, member.id, {
      maker: 'command',
      actor,
    });
    console.log(texts.done(member.username, url, `${expiresAt.slice(0, 16).replace('T', ' ')} UTC`));
    return 0;
  } finally {
    await db.destroy();
  }
}
