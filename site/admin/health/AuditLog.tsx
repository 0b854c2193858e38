import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { SubmitEvent } from 'react';
import { auditActions } from '#contract/audit.ts';
import type { AuditAction, AuditFilters, AuditRecord } from '#contract/audit.ts';
import * as limits from '#contract/limits.ts';
import { dayStart, shiftDay } from '#domain/time-zone.ts';
import styles from '#site/admin/Admin.module.css';
import listStyles from '#site/admin/AdminLists.module.css';
import { adminKey, callAdmin, downloadAdmin, useAdminMutation } from '#site/admin/admin-session.ts';
import { AdminSection, Loaded, Pagination } from '#site/admin/AdminSection.tsx';
import { queryClient } from '#site/client/query-client.ts';
import { Field } from '#site/ui/Field.tsx';
import { formatMoment, siteZone } from '#site/ui/format.ts';
import { auditActionTexts, auditLogTexts as texts } from '#texts/audit.ts';
import { timeFieldTexts } from '#texts/time-field.ts';
import ownStyles from './AuditLog.module.css';

/** Changes by operators, with filters and exports. */
export function AuditLog() {
  const [filters, setFilters] = useState<AuditFilters>({});
  const [page, setPage] = useState(1);
  const [actors, setActors] = useState<readonly string[]>([]);
  const query = useQuery(
    {
      queryKey: [...adminKey, 'auditLog', page, filters],
      queryFn: async ({ signal }) => {
        const log = await callAdmin('auditLog', { query: { ...filters, page }, signal });
        if (log.actors !== undefined) setActors(log.actors);
        return log;
      },
      placeholderData: keepPreviousData,
    },
    queryClient(),
  );
  const download = useAdminMutation(
    (format: 'csv' | 'json') =>
      downloadAdmin('exportAuditLog', { query: { ...filters, format }, fileName: `audit-log.${format}` }),
    () => undefined,
  );
  const show = (chosen: AuditFilters) => {
    setPage(1);
    setFilters(chosen);
  };
  return (
    <AdminSection anchor="audit" heading={texts.heading} text={texts.text}>
      <Filters actors={actors} onShow={show} />
      <p className="muted small" role="status">
        {query.data && (query.data.total === 0 ? texts.none : texts.count(query.data.total))}
      </p>
      <Loaded query={query}>
        {({ entries, total }) => (
          <>
            {total > 0 && (
              <>
                <ol className={styles.list} aria-label={texts.list}>
                  {entries.map((entry) => (
                    <Entry key={entry.id} {...entry} />
                  ))}
                </ol>
                <Pagination
                  label={texts.pages}
                  page={page}
                  pages={Math.ceil(total / limits.auditPageSize)}
                  onPage={setPage}
                />
                <div className={styles.actions}>
                  {(['csv', 'json'] as const).map((format) => (
                    <button
                      key={format}
                      type="button"
                      className="button button--small"
                      aria-disabled={download.isPending}
                      onClick={() => download.isPending || download.mutate(format)}
                    >
                      {format === 'csv' ? texts.exportCsv : texts.exportJson}
                    </button>
                  ))}
                </div>
              </>
            )}
          </>
        )}
      </Loaded>
    </AdminSection>
  );
}

interface FiltersProps {
  readonly actors: readonly string[];
  readonly onShow: (filters: AuditFilters) => void;
}

/** The start of a day in the time zone of the site, or of a later one, as a moment; undefined without a day. */
function startOfDay(day: string, daysLater = 0): string | undefined {
  if (day === '') return undefined;
  return new Date(dayStart(shiftDay(day, daysLater), siteZone())).toISOString();
}

function Filters({ actors, onShow }: FiltersProps) {
  const id = useId();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const text = (name: string) => {
      const value = data.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    const [from, to] = [startOfDay(text('from')), startOfDay(text('to'), 1)];
    onShow({
      ...(text('search') !== '' && { search: text('search') }),
      ...(text('actor') !== '' && { actor: text('actor') }),
      ...(text('action') !== '' && { action: text('action') }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    } as AuditFilters);
  };
  const select = (name: 'actor' | 'action', label: string, all: string, values: readonly string[]) => (
    <Field id={`${id}-${name}`} label={label}>
      {(control) => (
        <select {...control} className="input" name={name}>
          <option value="">{all}</option>
          {values.map((value) => (
            <option key={value} value={value}>
              {name === 'action' ? auditActionTexts[value as AuditAction] : value}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <Field id={`${id}-search`} label={texts.search} hint={texts.searchHint}>
        {(control) => <input {...control} className="input" type="search" name="search" maxLength={100} />}
      </Field>
      {select('actor', texts.actor, texts.anyone, actors)}
      {select('action', texts.action, texts.anything, auditActions)}
      <div className="row">
        {(['from', 'to'] as const).map((name) => (
          <Field key={name} id={`${id}-${name}`} label={texts[name]} hint={timeFieldTexts.zone(siteZone())}>
            {(control) => <input {...control} className="input" type="date" name={name} />}
          </Field>
        ))}
      </div>
      <div>
        <button type="submit" className="button">
          {texts.find}
        </button>
      </div>
    </form>
  );
}

function Entry({ at, actor, action, subject, title = null, path = null, before, after }: AuditRecord) {
  const name = title ?? subject;
  return (
    <li className={`${listStyles.stacked} ${ownStyles.change}`}>
      <p>
        {/* An earlier version of the software may have had other actions. */}
        <b>{auditActionTexts[action as AuditAction] ?? action}</b>
        {name !== '' && ': '}
        {path === null ? (
          <bdi>{name}</bdi>
        ) : (
          <a href={path}>
            <bdi>{name}</bdi>
          </a>
        )}
      </p>
      <p className="muted small">
        <time dateTime={at}>{formatMoment(at)}</time>, <bdi>{actor}</bdi>
      </p>
      {(before !== null || after !== null) && (
        <details className="small">
          <summary>{texts.details}</summary>
          <dl>
            <Values label={texts.before} values={before} />
            <Values label={texts.after} values={after} />
          </dl>
        </details>
      )}
    </li>
  );
}

function Values({ label, values }: { readonly label: string; readonly values: unknown }) {
  if (values === null) return null;
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <pre className={ownStyles.values} dir="auto">
          {JSON.stringify(values, null, 2)}
        </pre>
      </dd>
    </>
  );
}
