import { Type } from 'typebox';
import { diskRoomSchema } from '#contract/disk.ts';
import { closed, count, described, maybeMoment, maybeText, moment, named, nullable, oneOf } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';

/** The steps of a publish in order: builds code if it has changed, renders pages, moves names. */
export const buildSteps = ['code', 'pages', 'publish'] as const;
export type BuildStep = (typeof buildSteps)[number];

/** What can change on pages; `api/domain/pages-of.ts` explains each. */
export const changeKinds = ['poll', 'report', 'community', 'related', 'page', 'content', 'site'] as const;
/** What happened to it; null where the kind says enough. */
export const changeEvents = [
  ...(['created', 'imported', 'restored', 'edited', 'opened', 'closed', 'reopened', 'rescheduled'] as const),
  ...(['featured', 'unfeatured', 'recounted', 'removed'] as const),
] as const;
export type ChangeEvent = (typeof changeEvents)[number];

/** Changes of one kind that are published together. */
const publishedChangeSchema = named('PublishedChange', {
  kind: oneOf(changeKinds),
  event: nullable(oneOf(changeEvents)),
  count,
  subjects: Type.Array(
    closed({
      key: Type.String({ description: 'Id of a poll, category, address, file, or the reason for the whole site' }),
      title: described(maybeText, 'A question or a headline; null if there is none (any more)'),
    }),
    { description: 'The first of them' },
  ),
});
export type PublishedChange = Static<typeof publishedChangeSchema>;
const about = Type.Array(publishedChangeSchema, { description: 'What changed; empty: unknown' });

const maybeCount = nullable(count);

/** A publish: running or over. */
const siteBuildSchema = named('SiteBuild', {
  id: Type.Integer(),
  status: oneOf(['running', 'succeeded', 'failed']),
  reason: Type.String({ description: 'What is published' }),
  about,
  startedAt: moment,
  finishedAt: maybeMoment,
  step: nullable(oneOf(buildSteps)),
  done: described(maybeCount, 'Progress within the step'),
  total: maybeCount,
  error: described(maybeText, 'Why it failed'),
  isUnchanged: Type.Boolean({ description: 'Whether no page was different' }),
});
export type SiteBuild = Static<typeof siteBuildSchema>;

/** A round of the audit, which renders every page again and compares. */
const publishAuditSchema = named('PublishAudit', {
  startedAt: moment,
  finishedAt: maybeMoment,
  pages: described(count, 'Compared so far'),
  missed: Type.Array(Type.String(), {
    description: 'Addresses that differed although nobody recorded a change; they have been published since',
  }),
});
export type PublishAudit = Static<typeof publishAuditSchema>;

/** The state of publishing; at most one publish is running. */
export const publishingSchema = named('Publishing', {
  waiting: described(count, 'Changes that are not published yet'),
  retryAt: described(maybeMoment, 'When those that could not be published are tried again; null: there are none'),
  pausedSince: described(maybeMoment, 'While it is not null, only removals are published'),
  builds: Type.Array(siteBuildSchema, { description: 'The newest publishes, newest first' }),
  served: described(maybeText, 'The code build whose pages are served; null before the first publish'),
  earlier: Type.Array(closed({ id: Type.String(), servedUntil: moment }), {
    description: 'Code builds that `npm run build -- --use` goes back to, the last one first',
  }),
  audit: nullable(publishAuditSchema, { description: 'The newest round of the audit; null before the first' }),
  disk: nullable(diskRoomSchema, { description: 'Disk space for builds and backups; null: unknown' }),
});
export type Publishing = Static<typeof publishingSchema>;
