import { operateTexts as texts } from '#texts/start.ts';

const commands: Readonly<Record<string, () => Promise<unknown>>> = {
  accounts: () => import('./accounts.ts'),
  'admin-password': () => import('./admin-password.ts'),
  badges: () => import('./badges.ts'),
  community: () => import('./community.ts'),
  content: () => import('./content.ts'),
  moderate: () => import('./moderate.ts'),
  move: () => import('./move.ts'),
};

// The command reads its own arguments, as if it had been started alone.
const [name = '--help'] = process.argv.splice(2, 1);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command) await command();
else if (name === '--help') console.log(texts.help);
else {
  console.error(`${texts.unknown(name)}\n\n${texts.help}`);
  process.exitCode = 2;
}
