import { join } from 'node:path';
import { buildFiles } from '#contract/publishing.ts';
import { clientOf, inBuilds, pageAddresses, readPage, servedBuild, sizeOf } from '#api/publishing/builds.ts';
import { damagedFiles, readCodeBuild } from '#api/publishing/code-build.ts';
import { doctorTexts as texts } from '#texts/doctor.ts';
import { found, ok } from './finding.ts';
import type { Finding } from './finding.ts';

/** The served build and the problems with its files. */
interface BuildCheck {
  readonly id: string;
  /** Pages, without the files of the code. */
  readonly pages: number;
  /** Files that are missing, and those of another size than the code build has, or of pages that can’t be read. */
  readonly missing: readonly string[];
  readonly damaged: readonly string[];
}

/** Checks the files of the served build; null before the first publish. */
export async function checkServedBuild(dataDir: string): Promise<BuildCheck | null> {
  const id = servedBuild(dataDir);
  if (id === null) return null;
  const code = await readCodeBuild(inBuilds(dataDir, id));
  if (code === null) return { id, pages: 0, missing: [join(id, buildFiles.facts)], damaged: [] };
  const client = clientOf(dataDir, id);
  const missing: string[] = [];
  const damaged: string[] = [];
  if (sizeOf(inBuilds(dataDir, id, buildFiles.fill)) === null) missing.push(buildFiles.fill);
  for (const file of damagedFiles(code)) (sizeOf(join(code.folder, file)) === null ? missing : damaged).push(file);
  const pages = pageAddresses(dataDir, code);
  damaged.push(...pages.filter((address) => readPage(client, address) === null));
  return { id, pages: pages.length, missing, damaged };
}

/** What the doctor says about it. */
export function pageFindings(build: BuildCheck | null): Finding[] {
  if (build === null) return [found('warning', 'pages', texts.pages.none)];
  const { id, pages, missing, damaged } = build;
  const problems = [...missing.map(texts.pages.missing), ...damaged.map(texts.pages.unreadable)];
  return problems.length === 0
    ? [ok('pages', texts.pages.ok(id, pages))]
    : [found('problem', 'pages', texts.pages.damaged(id, problems.length, problems))];
}
