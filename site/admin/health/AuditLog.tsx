import { useState } from 'react';
import { auditActions } from '#api/admin/audit/audit.contract.ts';
import type { AuditAction, AuditFilters, AuditRecord } from '#api/admin/audit/audit.contract.ts';
import * as limits from '#contract/limits.ts';
import { dayStart, shiftDay } from '#domain/time-zone.ts';
import styles from '#site/admin/Admin.module.css';
import { downloadAdmin } from '#site/admin/admin-session.ts';
import { AdminForm } from '#site/admin/AdminForm.tsx';
import { ActionButton, AdminList, useAdminQuery } from '#site/admin/AdminList.tsx';
import { AdminSection } from '#site/admin/AdminSection.tsx';
import { formatMoment, siteZone } from '#site/ui/format.ts';
import { auditActionTexts, auditLogTexts as texts } from '#texts/audit.ts';
import { timeFieldTexts } from '#texts/time-field.ts';
import ownStyles from './AuditLog.module.css';

/** The start of a day in the time zone of the site, or of a later one, as a moment; undefined without a day. */
function startOfDay(day: string, daysLater = 0): string | undefined {
  if (day === '') return undefined;
  return new Date(dayStart(shiftDay(day, daysLater), siteZone())).toISOString();
}

/** Changes by operators, with filters and exports. */
export function AuditLog() {
  const [filters, setFilters] = useState<AuditFilters>({});
  const [page, setPage] = useState(1);
  const query = useAdminQuery('auditLog', { query: { ...filters, page } });
  // The first page says who there is.
  const [actors, setActors] = useState<readonly string[]>([]);
  if (query.data?.actors !== undefined && query.data.actors !== actors) setActors(query.data.actors);
  const day = (name: 'from' | 'to') => ({
    ...{ name, label: texts[name], hint: timeFieldTexts.zone(siteZone()) },
    input: { type: 'date' },
  });
  return (
    <AdminSection anchor="audit" heading={texts.heading} text={texts.text}>
      <AdminForm
        className={ownStyles.filters}
        fields={[
          { name: 'search', label: texts.search, hint: texts.searchHint, input: { type: 'search', maxLength: 100 } },
          {
            ...{ name: 'actor', label: texts.actor },
            choices: [['', texts.anyone], ...actors.map((actor) => [actor, actor] as const)],
          },
          {
            ...{ name: 'action', label: texts.action },
            choices: [
              ['', texts.anything],
              ...auditActions.map((action) => [action, auditActionTexts[action]] as const),
            ],
          },
          day('from'),
          day('to'),
        ]}
        submit={texts.find}
        send={(field) => {
          const chosen = {
            ...{ search: field('search'), actor: field('actor'), action: field('action') },
            ...{ from: startOfDay(field('from')), to: startOfDay(field('to'), 1) },
          };
          setPage(1);
          setFilters(Object.fromEntries(Object.entries(chosen).filter(([, value]) => value)) as AuditFilters);
        }}
      />
      <p className="muted small" role="status">
        {query.data && (query.data.total === 0 ? texts.none : texts.count(query.data.total))}
      </p>
      <AdminList
        ordered
        query={query}
        rows={({ entries }) => entries}
        label={texts.list}
        row={(entry) => <Entry {...entry} />}
        paging={({ total }) => ({
          ...{ label: texts.pages, page, onPage: setPage },
          pages: Math.ceil(total / limits.auditPageSize),
        })}
      >
        {({ total }) =>
          total > 0 && (
            <div className={styles.actions}>
              {(['csv', 'json'] as const).map((format) => (
                <ActionButton
                  key={format}
                  label={format === 'csv' ? texts.exportCsv : texts.exportJson}
                  act={async () => {
                    const fileName = `audit-log.${format}`;
                    await downloadAdmin('exportAuditLog', { query: { ...filters, format }, fileName });
                  }}
                />
              ))}
            </div>
          )
        }
      </AdminList>
    </AdminSection>
  );
}

function Entry({ at, actor, action, subject, title = null, path = null, before, after }: AuditRecord) {
  const name = title ?? subject;
  return (
    <li className={`${styles.stacked} ${ownStyles.change}`}>
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
