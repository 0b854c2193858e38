import { openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { snapshotFiles } from '#contract/snapshot.ts';
import type { CommunityAddresses, ReportIndex, ReportRecord, SiteSnapshot, TextsSnapshot } from '#contract/snapshot.ts';
import { allCategories } from '#contract/vocabulary.ts';

interface OpenSnapshot {
  readonly site: SiteSnapshot;
  readonly texts: TextsSnapshot;
  readonly communityAddresses: CommunityAddresses;
  readonly index: ReportIndex;
  readonly places: ReadonlyMap<string, ReportIndex[number]>;
  readonly toRender: readonly string[];
  /** Descriptor of the reports file, kept open during the build. */
  readonly reports: number | null;
}

const opened = new Map<string, OpenSnapshot>();

function emptySnapshot(): OpenSnapshot {
  const text = { title: '', description: '', content: '' };
  const legal = { ...text, lastUpdated: '2025-01-19' };
  return {
    site: {
      createdAt: new Date().toISOString(),
      statistics: { totalVotes: 0, importedVotes: 0, totalParticipants: 0, totalPolls: 0 },
      activePolls: [],
      archive: { polls: [], total: 0, categories: [allCategories] },
      community: { featured: [], polls: [] },
    },
    texts: {
      articles: [],
      pages: { about: { ...text, lede: '', cards: [] }, terms: legal, privacy: legal, disclaimer: legal },
    },
    communityAddresses: [],
    index: [],
    places: new Map(),
    toRender: [],
    reports: null,
  };
}

function openSnapshot(): OpenSnapshot {
  // Without a folder (type check, editor) the site is empty.
  const folder = process.env.SNAPSHOT_DIR ?? '';
  let snapshot = opened.get(folder);
  if (snapshot) return snapshot;
  if (folder === '') {
    snapshot = emptySnapshot();
  } else {
    // The publisher validated every record when writing it.
    const index = JSON.parse(readFileSync(join(folder, snapshotFiles.reportIndex), 'utf8')) as ReportIndex;
    snapshot = {
      site: JSON.parse(readFileSync(join(folder, snapshotFiles.site), 'utf8')) as SiteSnapshot,
      communityAddresses: JSON.parse(
        readFileSync(join(folder, snapshotFiles.communityAddresses), 'utf8'),
      ) as CommunityAddresses,
      texts: JSON.parse(readFileSync(join(folder, snapshotFiles.texts), 'utf8')) as TextsSnapshot,
      index,
      places: new Map(index.map((place) => [place.id, place])),
      toRender: JSON.parse(readFileSync(join(folder, snapshotFiles.reportsToRender), 'utf8')) as string[],
      reports: openSync(join(folder, snapshotFiles.reports), 'r'),
    };
  }
  opened.set(folder, snapshot);
  return snapshot;
}

/** Statistics, open polls, and the first pages of archive and community polls. */
export function siteSnapshot(): SiteSnapshot {
  return openSnapshot().site;
}

/** Every published article, newest first, with its text as HTML. */
export function articles(): TextsSnapshot['articles'] {
  return openSnapshot().texts.articles;
}

/** About and the legal pages. */
export function staticPages(): TextsSnapshot['pages'] {
  return openSnapshot().texts.pages;
}

/** The public community polls of the sitemap, newest first. */
export function communityAddresses(): CommunityAddresses {
  return openSnapshot().communityAddresses;
}

/** Ids of all closed polls; `digest` changes whenever the report’s page may change. */
export function reportIndex(): { id: string; digest: string }[] {
  return openSnapshot().index.map(({ id, digest }) => ({ id, digest }));
}

/**
 * Ids of the closed polls whose pages this build renders, because they may have changed since the last release. The
 * publisher reuses all other pages, so a report must depend only on its record, texts, and settings.
 */
export function reportsToRender(): readonly string[] {
  return openSnapshot().toRender;
}

/** One closed poll with its related polls, read from disk; throws for an unknown id. */
export function reportPage(id: string): ReportRecord {
  const { places, reports } = openSnapshot();
  const place = places.get(id);
  if (!place || reports === null)
    throw new Error(`The snapshot has no report “${id}”: use the ids from reportIndex().`);
  const bytes = Buffer.allocUnsafe(place.length);
  const read = readSync(reports, bytes, 0, place.length, place.offset);
  if (read !== place.length)
    throw new Error(`The snapshot’s report “${id}” is truncated: ${read} of ${place.length} bytes. Rebuild the site.`);
  return JSON.parse(bytes.toString('utf8')) as ReportRecord;
}
