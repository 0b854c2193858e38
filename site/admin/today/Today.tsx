import type { Today as TodayData, TodayItem, TodayKind } from '#api/admin/today/today.contract.ts';
import type { OperatorPermission } from '#contract/vocabulary.ts';
import { localDayOf } from '#domain/time-zone.ts';
import { useAllowed } from '#site/admin/admin-session.ts';
import { AdminList, ListRow, useAdminQuery } from '#site/admin/AdminList.tsx';
import { AdminSection } from '#site/admin/AdminSection.tsx';
import { pagePermission } from '#site/admin/page-permissions.ts';
import { formatMoment, siteZone } from '#site/ui/format.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { diskTexts } from '#texts/admin.ts';
import { adminPages } from '#texts/admin-pages.ts';
import type { AdminPageName } from '#texts/admin-pages.ts';
import { todayTexts as texts } from '#texts/admin-today.ts';
import ownStyles from './Today.module.css';

/** Milliseconds between refetches. */
const refetchMs = 60_000;

/** Where each kind is decided: an admin page, and what of it. */
const places: Readonly<Record<TodayKind, readonly [AdminPageName, string?]>> = {
  disk: ['health'],
  'results-differ': ['moderation', '#integrity'],
  'vote-log': ['moderation', '#integrity'],
  witnesses: ['moderation', '#integrity'],
  'no-open-poll': ['polls', '?view=calendar'],
  'votes-held': ['moderation', '#integrity'],
  'decisions-unfinished': ['moderation', '#integrity'],
  reports: ['moderation', '#reports'],
  appeals: ['moderation', '#appeals'],
  flags: ['moderation', '#integrity'],
  'publish-failed': ['health'],
  'publish-paused': ['health'],
  'mail-failed': ['today', '?setup=open#setup-mail'],
  'webhooks-paused': ['settings', '#webhooks'],
  'imports-unfinished': ['imports', '#imports'],
  backup: ['health', '#backups'],
  'poll-gap': ['polls', '?view=calendar'],
  'polls-ending': ['polls'],
};

/** Who may decide it there: webhooks, backups, and the setup are the owners’. */
const permissionOf = (kind: TodayKind): OperatorPermission => {
  const [page, part] = places[kind];
  return page === 'settings' || part === '#backups' || part?.startsWith('?setup') ? 'owner' : pagePermission(page);
};

function placeOf({ kind, due, poll }: TodayItem, mayEdit: boolean): string {
  const [page, part = ''] = places[kind];
  const { path } = adminPages[page];
  if (kind === 'poll-gap' && due !== null)
    return `${path}?view=calendar&month=${localDayOf(Date.parse(due), siteZone()).slice(0, 7)}`;
  return kind === 'polls-ending' && poll !== null && mayEdit ? `${path}?poll=${poll.id}` : `${path}${part}`;
}

/** What needs a decision of the operator, most urgent first. */
export function Today() {
  const query = useAdminQuery('today', { refetch: () => refetchMs });
  return (
    <AdminSection anchor="today" heading={texts.heading} text={texts.text}>
      <AdminList
        ordered
        query={query}
        rows={({ items, disk }) => items.map((item) => ({ ...item, disk }))}
        keyOf={({ kind }) => kind}
        empty={texts.none}
        label={texts.list}
        row={({ disk, ...item }) => <Item item={item} disk={disk} />}
      >
        {({ polls }) => <p className="muted small">{texts.polls(polls.open, polls.scheduled)}</p>}
      </AdminList>
    </AdminSection>
  );
}

function Item({ item, disk }: { readonly item: TodayItem; readonly disk: TodayData['disk'] }) {
  const { kind, level, since, due } = item;
  const mark = texts.levels[level];
  const permission = permissionOf(kind);
  const [isAllowed, mayEdit] = [useAllowed(permission), useAllowed('editor')];
  return (
    <ListRow
      className={`${ownStyles.item} ${ownStyles[level] ?? ''}`}
      actions={
        isAllowed ? (
          <a className="button button--small" href={placeOf(item, mayEdit)} aria-label={texts.actionName(item)}>
            {texts.actions[kind]}
          </a>
        ) : (
          <span className="muted small">{texts.decidedBy(permission)}</span>
        )
      }
    >
      <p>
        {mark !== null && <span className={`tag ${ownStyles.tag}`}>{mark}</span>} {texts.item(item)}
      </p>
      <p className="muted small">
        {since !== null && (
          <>
            {texts.since[kind] ?? texts.oldest} <RelativeTime moment={since} />
            {due !== null && ' · '}
          </>
        )}
        {due !== null && (
          <>
            {texts.due[kind] ?? texts.first} <time dateTime={due}>{formatMoment(due)}</time>
          </>
        )}
        {kind === 'backup' && since === null && texts.noBackup}
        {kind === 'disk' && disk !== null && diskTexts.room(disk.freeBytes, disk.wantedBytes)}
        {kind === 'disk' && disk !== null && disk.level !== 'ok' && ` ${diskTexts.meaning[disk.level]}`}
      </p>
    </ListRow>
  );
}
