import { pullContent, pushContent } from '#api/content/transfer.service.ts';
import type { Transfer } from '#api/content/transfer.service.ts';
import { systemClock } from '#platform/clock.ts';
import { ConfigError, readConfig } from '#platform/config.ts';
import { contentCommandTexts as texts } from '#texts/content-command.ts';
import { runCommand } from './command-line.ts';
import { openInstallation, prepareDatabase } from './prepare.ts';

/** The exit code for invalid arguments. */
const usageError = 2;

await runCommand({
  help: texts.usage,
  positionals: true,
  options: { folder: { type: 'string' }, force: { type: 'boolean' }, 'dry-run': { type: 'boolean' } },
  async run({ folder, force = false, 'dry-run': dryRun = false }, [verb, ...more]) {
    if ((verb !== 'pull' && verb !== 'push') || more.length > 0) {
      console.error(verb === undefined ? texts.noVerb : texts.unknownVerb([verb, ...more].join(' ')));
      return usageError;
    }
    const config = readConfig();
    const db = openInstallation(config);
    try {
      await prepareDatabase(db, config);
      const options = { db, force, dryRun, ...(folder !== undefined && { folder }) };
      const transfer =
        verb === 'pull'
          ? await pullContent(options)
          : await pushContent({ ...options, clock: systemClock }).catch((error: unknown) => {
              // The author of a file needs its name and line, not a stack.
              throw (error as Error).name === 'ContentProblem' ? new ConfigError((error as Error).message) : error;
            });
      return report(transfer, verb, { force, dryRun });
    } finally {
      await db.destroy();
    }
  },
});

function report(
  { written, deleted, conflicts, left }: Transfer,
  verb: 'pull' | 'push',
  { force, dryRun }: { readonly force: boolean; readonly dryRun: boolean },
): number {
  if (conflicts.length > 0 && !force) {
    console.error([texts.conflicts[verb], ...conflicts.map(texts.line), texts.nothing].join('\n'));
    return 1;
  }
  for (const file of written) console.log(texts.written[verb](file, dryRun));
  for (const file of deleted) console.log(texts.deleted[verb](file, dryRun));
  if (left.length > 0) console.log([texts.drafts, ...left.map(texts.line)].join('\n'));
  if (written.length + deleted.length === 0) console.log(texts.same);
  return 0;
}
