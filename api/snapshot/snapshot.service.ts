import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { ValidateFunction } from 'ajv';
import * as limits from '#contract/limits.ts';
import { reportRecordSchema } from '#contract/page-data.ts';
import type { ReportRecord } from '#contract/page-data.ts';
import {
  communityAddressesSchema,
  reportIndexSchema,
  siteSnapshotSchema,
  snapshotFiles,
  textsSnapshotSchema,
} from '#contract/snapshot.ts';
import type { CommunityAddresses, ReportIndex, SiteSnapshot, TextsSnapshot } from '#contract/snapshot.ts';
import { communityCard } from '#domain/poll-visibility.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import { readOneState } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { compileSchema } from '#platform/validation.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { publishArticles, publishedArticles } from '#api/blog/articles.service.ts';
import { staticPages } from '#api/blog/static-pages.service.ts';
import type { PageSettings } from '#api/blog/static-pages.service.ts';
import { featuredList, publicListPage, publicPollAddresses } from '#api/community-polls/community-polls.service.ts';
import { activePollsFor, allReports, archivePage } from '#api/polls/polls.service.ts';
import type { SnapshotFacts } from '#api/publishing/build.service.ts';
import { statisticsNow } from '#api/statistics/statistics.service.ts';

/** Reports per progress message. */
const progressEvery = 200;

interface SnapshotOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** The settings that static pages name. */
  readonly settings: PageSettings;
  /** The folder for the files; created if missing. */
  readonly folder: string;
  /** Digest of everything that report pages depend on except the record. */
  readonly pagesDigest: string;
  /** Progress: how many of all reports are written. */
  readonly onReports?: (done: number, total: number) => void;
}

/**
 * Updates the articles in the database from their files, then writes the data of all pages, read from the database in one
 * consistent state and validated by the contract. Reports are streamed, so that memory does not grow with the archive.
 */
export async function writeSnapshot(options: SnapshotOptions): Promise<SnapshotFacts> {
  const { db, clock, settings, folder, pagesDigest } = options;
  await mkdir(folder, { recursive: true });
  await publishArticles({ db, clock });
  const pages = await staticPages(settings);
  return readOneState(db, async (trx) => {
    const context = { db: trx, clock };
    const site: SiteSnapshot = {
      createdAt: iso(clock.now()),
      statistics: await statisticsNow(trx, clock.now()),
      activePolls: await activePollsFor(context, null),
      archive: await archivePage(context, { page: 1, limit: limits.historicalPageSize, sort: 'newest' }),
      community: {
        featured: (await featuredList(context, null)).map(communityCard),
        polls: (await publicListPage(context, { limit: limits.communityPageSize, offset: 0 }, null)).map(communityCard),
      },
    };
    check(isSiteSnapshot, site, 'The figures and lists of the home page, the archive, and the community polls');

    const texts: TextsSnapshot = { articles: await publishedArticles(trx), pages };
    check(isTextsSnapshot, texts, 'The articles and the static pages');

    const addresses: CommunityAddresses = await publicPollAddresses(trx);
    check(areCommunityAddresses, addresses, 'The addresses of community polls');

    const reports = createWriteStream(join(folder, snapshotFiles.reports));
    const index: ReportIndex = [];
    let offset = 0;
    for await (const report of allReports(context)) {
      check(isReportRecord, report, `The report of poll “${report.poll.id}”`);
      const record = JSON.stringify(report);
      const line = Buffer.from(`${record}\n`);
      const digest = createHash('sha256').update(pagesDigest).update(line).digest('base64url').slice(0, 27);
      index.push({ id: report.poll.id, digest, offset, length: line.length - 1 });
      offset += line.length;
      if (!reports.write(line)) await once(reports, 'drain');
      if (index.length % progressEvery === 0) options.onReports?.(index.length, site.archive.total);
    }
    reports.end();
    await finished(reports);
    check(isReportIndex, index, 'The index of reports');
    await writeFile(join(folder, snapshotFiles.reportIndex), JSON.stringify(index));
    await writeFile(join(folder, snapshotFiles.site), JSON.stringify(site));
    await writeFile(join(folder, snapshotFiles.texts), JSON.stringify(texts));
    await writeFile(join(folder, snapshotFiles.communityAddresses), JSON.stringify(addresses));
    const digests = new Map(index.map(({ id, digest }) => [id, digest]));
    return { reports: digests, activePolls: site.activePolls.length };
  });
}

const isSiteSnapshot = compileSchema<SiteSnapshot>(siteSnapshotSchema, 'json');
const isTextsSnapshot = compileSchema<TextsSnapshot>(textsSnapshotSchema, 'json');
const areCommunityAddresses = compileSchema<CommunityAddresses>(communityAddressesSchema, 'json');
const isReportRecord = compileSchema<ReportRecord>(reportRecordSchema, 'json');
const isReportIndex = compileSchema<ReportIndex>(reportIndexSchema, 'json');

function check<T>(validate: ValidateFunction<T>, value: unknown, what: string): asserts value is T {
  if (validate(value)) return;
  const reasons = fieldErrors(validate.errors).map(({ message }) => message.replace(/\.?$/, '.'));
  throw new Error(`${what} doesn’t match the contract: ${reasons.join(' ')} Correct the row in the database.`);
}
