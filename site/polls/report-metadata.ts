import type { Poll } from '#api/polls/polls.contract.ts';
import { breadcrumbLabel, categoryLabel, metaDescription } from '#domain/poll-results.ts';
import { isVotedHere, provenanceOf } from '#domain/origin.ts';
import { topicAddress, topicSlug } from '#domain/topics.ts';
import type { ReportProse } from '#domain/report-wording.ts';
import { withFigures } from '#domain/figure-sentences.ts';
import { publicAddress, siteConfig } from '#site/site-config.ts';
import { formatCount, formatDay } from '#site/ui/format.ts';
import { reportTexts as texts } from '#texts/report.ts';
import { sharingTexts } from '#texts/sharing.ts';

/** A report’s title. */
export function reportTitle({ question }: Pick<Poll, 'question'>): string {
  return texts.title(question);
}

/** Structured data of a report: article, breadcrumb, and dataset, unless all answers were imported from nobody knows where. */
export function reportMetadata(poll: Poll, prose: ReportProse, description: string, picture: string): object[] {
  const address = publicAddress(`/poll/${poll.id}`);
  const site = { '@type': 'Organization', name: siteConfig.siteName, url: publicAddress('/') };
  const author = poll.author ? { '@type': 'Person', name: poll.author } : site;
  const keywords = poll.tags.length > 0 ? { keywords: poll.tags } : {};
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'Article',
      headline: metaDescription(poll.question),
      description,
      image: picture,
      datePublished: poll.closedAt ?? poll.endsAt,
      dateModified: poll.updatedAt,
      author,
      publisher: site,
      mainEntityOfPage: address,
      ...(poll.category ? { articleSection: categoryLabel(poll.category) } : {}),
      ...keywords,
    },
    {
      '@context': 'https://schema.org',
      '@type': 'BreadcrumbList',
      itemListElement: breadcrumb(poll).map(({ name, path }, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name,
        item: publicAddress(path),
      })),
    },
    ...(isVotedHere(poll) || provenanceOf(poll).source !== undefined ? [datasetOf(poll, prose, address, site)] : []),
  ];
}

/** The results as a dataset of this site, or of the source that collected all answers. */
function datasetOf(poll: Poll, prose: ReportProse, address: string, site: object): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    name: metaDescription(poll.question),
    description: [withFigures(poll, prose.summary), ...prose.methodology].join(' ').slice(0, 4_900),
    url: address,
    identifier: address,
    ...(isVotedHere(poll) ? ownDataset(poll, site) : sourceOf(poll)),
    isAccessibleForFree: true,
    dateModified: poll.updatedAt,
    variableMeasured: [texts.columns.votes, texts.columns.percent],
    distribution: [
      { '@type': 'DataDownload', encodingFormat: 'text/csv', contentUrl: `${address}.csv` },
      { '@type': 'DataDownload', encodingFormat: 'application/json', contentUrl: `${address}.json` },
    ],
    ...(poll.tags.length > 0 && { keywords: poll.tags }),
  };
}

/** The members of a dataset about how this site collected it. */
const ownDataset = ({ startsAt, closedAt, endsAt }: Poll, site: object) => ({
  license: sharingTexts.license.url,
  creator: site,
  temporalCoverage: `${startsAt}/${closedAt ?? endsAt}`,
  measurementTechnique: texts.technique,
});

/** The same of one that was imported, as far as that is stated. */
function sourceOf(poll: Poll): object {
  const { source, fieldDates, mode, license, sponsor, link } = provenanceOf(poll);
  return {
    creator: { '@type': 'Organization', name: source },
    ...(fieldDates !== undefined && { temporalCoverage: fieldDates }),
    ...(mode !== undefined && { measurementTechnique: mode }),
    ...(license !== undefined && { license }),
    ...(sponsor !== undefined && { funder: { '@type': 'Organization', name: sponsor } }),
    ...(link !== undefined && { isBasedOn: link }),
  };
}

/** Where a poll’s answers come from, in words. */
export function originWords(poll: Pick<Poll, 'origin' | 'author' | 'provenance'>): string {
  const words = texts.origin;
  const { origin, author } = poll;
  const { source } = provenanceOf(poll);
  if (origin === 'demo') return words.demo;
  if (origin === 'imported') return source ?? (author ? words.imported : words.unknown);
  if (origin === 'both' && source !== undefined) return words.bothFrom(source, siteConfig.siteName);
  return words[origin ?? 'here'](siteConfig.siteName);
}

/** The breadcrumb of a report, from the home page. */
export function breadcrumb(poll: Pick<Poll, 'id' | 'question' | 'category'>): { name: string; path: string }[] {
  const category = poll.category === null || poll.category === '' ? undefined : poll.category;
  return [
    { name: texts.home, path: '/' },
    { name: texts.archive, path: '/historical' },
    ...(category === undefined
      ? []
      : [{ name: categoryLabel(category), path: topicAddress('category', topicSlug(category)) }]),
    { name: breadcrumbLabel(poll.question), path: `/poll/${poll.id}` },
  ];
}

/** When a poll was closed, in words; `closedAt` in milliseconds, null if unknown. */
export const closedWords = (closedAt: number | null): string =>
  closedAt === null ? texts.recently : formatDay(new Date(closedAt).toISOString());

/** For how many days a poll was open, in words; null if unknown. */
export const daysWords = (days: number | null): string =>
  days === null ? texts.tiles.notComputable : formatCount(days);
