import type { Poll } from '#api/polls/polls.contract.ts';
import { breadcrumbLabel, categoryLabel, metaDescription } from '#domain/poll-results.ts';
import { isVotedHere } from '#domain/origin.ts';
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

/** Structured data of a report: article, breadcrumb, and dataset, unless all answers were imported. */
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
    ...(isVotedHere(poll) ? [datasetOf(poll, prose, address, site)] : []),
  ];
}

/** The results as a dataset of this site; answers that were collected elsewhere are not its own. */
function datasetOf(poll: Poll, prose: ReportProse, address: string, site: object): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    name: metaDescription(poll.question),
    description: [withFigures(poll, prose.summary), ...prose.methodology].join(' ').slice(0, 4_900),
    url: address,
    identifier: address,
    license: sharingTexts.license.url,
    isAccessibleForFree: true,
    creator: site,
    dateModified: poll.updatedAt,
    temporalCoverage: `${poll.startsAt}/${poll.closedAt ?? poll.endsAt}`,
    measurementTechnique: texts.technique,
    variableMeasured: [texts.columns.votes, texts.columns.percent],
    distribution: [
      { '@type': 'DataDownload', encodingFormat: 'text/csv', contentUrl: `${address}.csv` },
      { '@type': 'DataDownload', encodingFormat: 'application/json', contentUrl: `${address}.json` },
    ],
    ...(poll.tags.length > 0 && { keywords: poll.tags }),
  };
}

/** Where a poll’s answers come from, in words. */
export function originWords({ origin, author }: Pick<Poll, 'origin' | 'author'>): string {
  const words = texts.origin;
  if (origin === 'demo') return words.demo;
  if (origin === 'imported') return author ? words.imported : words.unknown;
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
