import { setFeatured } from '#api/polls/community/community-polls.service.ts';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { communityCommandTexts as texts } from '#texts/community.ts';
import { runCommand } from './command-line.ts';
import { openInstallation, prepareDatabase } from './prepare.ts';

/** The exit code for invalid arguments. */
const usageError = 2;

await runCommand({
  help: texts.usage,
  positionals: true,
  options: {},
  async run(_, [verb, address, ...more]) {
    if (verb === undefined) return refuse(texts.noVerb);
    if (verb !== 'feature' && verb !== 'unfeature') return refuse(texts.unknownVerb(verb));
    if (address === undefined) return refuse(texts.noId(verb));
    if (more.length > 0) return refuse(texts.tooMany);
    return change(verb, idIn(address));
  },
});

function refuse(sentence: string): number {
  console.error(sentence);
  return usageError;
}

/** The id in a poll’s URL, or the argument itself if it is not a URL. */
function idIn(address: string): string {
  return (
    address
      .replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .split('/')
      .at(-1) ?? address
  );
}

async function change(verb: 'feature' | 'unfeature', id: string): Promise<number> {
  const config = readConfig();
  const db = openInstallation(config);
  try {
    await prepareDatabase(db, config);
    const outcome = await setFeatured({ db, clock: systemClock }, id, verb === 'feature');
    if (outcome === 'done') {
      console.log(texts.done[verb](id));
      return 0;
    }
    console.error(outcome === 'not-public' ? texts.notPublic(id) : texts.notFound(id));
    return 1;
  } finally {
    await db.destroy();
  }
}
