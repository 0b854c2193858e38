import { isAbsolute, resolve } from 'node:path';
import { ConfigError, readConfig, sqlitePath } from '#platform/config.ts';
import { messageOf } from '#platform/errors.ts';
import { moveDatabase } from '#api/backup/move.service.ts';
import { moveTexts as texts } from '#texts/move.ts';
import { databaseRefusal } from '#platform/database-problem.ts';
import { runCommand } from './command-line.ts';
import { phaseBar } from './progress-bar.ts';

await runCommand({
  help: texts.usage,
  positionals: true,
  options: {},
  async run(_, [word, extra]) {
    if (word === undefined) throw new ConfigError(texts.noTarget);
    if (extra !== undefined) throw new ConfigError(texts.tooMany(extra));
    const target = targetOf(word);
    const { databaseUrl, dataDir } = readConfig();
    process.umask(0o077);
    const bar = phaseBar(texts);
    const started = performance.now();
    const moved = await moveDatabase({ databaseUrl, target, onProgress: bar.show })
      .catch((error: unknown) => {
        if (error instanceof ConfigError) throw error;
        throw databaseRefusal(error) ?? new ConfigError(texts.failed(messageOf(error)));
      })
      .finally(bar.end);
    console.log(
      texts.moved({
        rows: [...moved.values()].reduce((sum, rows) => sum + rows, 0),
        tables: moved.size,
        seconds: (performance.now() - started) / 1_000,
        url: withoutPassword(target),
        dataDir,
        old: sqlitePath(databaseUrl) ?? withoutPassword(databaseUrl),
      }),
    );
    return 0;
  },
});

/** The target’s address; a SQLite file with its full path, because services may run in another folder. */
function targetOf(word: string): string {
  const file = sqlitePath(word);
  if (file !== null && file !== '') return file === ':memory:' || isAbsolute(file) ? word : `sqlite:${resolve(file)}`;
  if (/^postgres(ql)?:\/\/./.test(word)) return word;
  // It may hold a password: the sentence must not repeat more than its beginning.
  throw new ConfigError(texts.wrongTarget(/^[\w+.-]*(?=:)/.exec(word)?.[0] ?? ''));
}

function withoutPassword(databaseUrl: string): string {
  return databaseUrl.replace(/^(\w+:\/\/[^:@/]*):.*@/, '$1:****@').replace(/([?&]password=)[^&]*/, '$1****');
}
