import type { Clock } from '#platform/clock.ts';
import { checkCurrentRelease } from '#api/publishing/release-check.service.ts';
import { doctorTexts as texts } from '#texts/doctor.ts';
import { checkDatabase } from './database.service.ts';
import { found, ok } from './finding.ts';
import type { Finding } from './finding.ts';
import { checkDataFolder, checkDisk, checkKeys, checkSettings } from './machine.service.ts';

export interface ExaminationOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Whether counters that are wrong are set to what the rows come to. */
  readonly repair: boolean;
}

/**
 * Looks over an installation and answers what it found, in the order of the checks. Changes nothing but, where it is asked
 * to, counters (handbook decision 106).
 */
export async function examine({ environment, clock, repair }: ExaminationOptions): Promise<Finding[]> {
  const { config, wrong, findings } = checkSettings(environment);
  const folder = await checkDataFolder(config);
  const all = [...findings, ...folder];
  // With a wrong place everything else would be about another installation.
  if (!wrong.has('DATA_DIR') && !wrong.has('DATABASE_URL')) {
    const keys = await checkKeys(config);
    const database = await checkDatabase({ config, clock, repair });
    const disk = await checkDisk(config, database.bytes);
    all.push(...keys, ...disk, ...database.findings, ...(await releaseFindings(config.dataDir)));
  }
  const order = Object.keys(texts.checks);
  return all.sort((a, b) => order.indexOf(a.check) - order.indexOf(b.check));
}

async function releaseFindings(dataDir: string): Promise<Finding[]> {
  const release = await checkCurrentRelease(dataDir);
  if (release === null) return [found('warning', 'release', texts.release.none)];
  const { id, files, missing, otherSize } = release;
  if (missing.length + otherSize.length === 0) return [ok('release', texts.release.ok(id, files))];
  const examples = [
    ...missing.map((file) => texts.release.missingFile(file)),
    ...otherSize.map((file) => texts.release.otherSize(file)),
  ];
  return [found('problem', 'release', texts.release.damaged(id, examples.length, examples))];
}
