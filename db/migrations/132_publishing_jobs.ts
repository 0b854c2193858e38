import type { Knex } from 'knex';

/** Rows per statement. */
const atOnce = 100;

/**
 * What waits to be published is a row of `jobs` like all that is done later, and who publishes has the lease of one. Publishes
 * that are over are events; those that webhooks were told of are replaced by what is known of them.
 */
export async function up(knex: Knex): Promise<void> {
  const json = isPostgres(knex) ? 'json_build_object' : 'json_object';
  await knex.raw(`
    insert into jobs (kind, lane, payload, due_at, first_due_at, attempts)
    select
      case when kind = 'site' then 'publish-site'
        when kind = 'related' and priority < 3 then 'publish-links'
        when kind = 'related' then 'publish-related'
        when priority = 0 then 'publish-now'
        when priority = 1 then 'publish-many'
        when priority = 2 then 'publish-sitemap'
        else 'publish-later' end,
      case when event = 'removed' then 'removed' else '' end,
      cast(${json}('kind', kind, 'key', key, 'event', event, 'at', due_at, 'cursor', "cursor") as text),
      case when attempts = 0 then 0 else due_at end, 0, attempts
    from publish_changes order by id
  `);
  await knex('events').where({ type: 'site.published' }).del();
  const ended = await knex('build_jobs').whereNotNull('finished_at').orderBy('id').select<BuildJob[]>('*');
  const events = ended.map(({ reason, about, started_at, finished_at, status, error, changed }) => {
    const after = { startedAt: Number(started_at), reason, about: JSON.parse(about) as unknown, changed };
    return {
      ...{ at: finished_at, subject_kind: 'site', subject: '' },
      type: changed > 0 ? 'site.published' : status === 'failed' ? 'site.failed' : 'site.unchanged',
      after: JSON.stringify(status === 'failed' ? { ...after, error: error ?? '' } : after),
    };
  });
  await knex.batchInsert('events', events, atOnce);
  await knex.raw(`create index events_of_publishes on events (id) where ${ofPublishes}`);
  await knex.schema.dropTable('publish_changes');
  await knex.schema.dropTable('build_jobs');
}

const ofPublishes = "(type = 'site.published' or type = 'site.unchanged' or type = 'site.failed')";

interface BuildJob {
  readonly reason: string;
  /** JSON. */
  readonly about: string;
  readonly started_at: number | string;
  readonly finished_at: number | string;
  readonly status: 'succeeded' | 'failed';
  readonly error: string | null;
  readonly changed: number;
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.createTable('build_jobs', (t) => {
    t.bigIncrements('id');
    t.string('status', 16).notNullable().checkIn(['queued', 'running', 'succeeded', 'failed'], 'build_jobs_status');
    t.text('reason').notNullable();
    t.bigInteger('started_at').nullable();
    t.bigInteger('finished_at').nullable();
    t.bigInteger('heartbeat_at').nullable();
    t.string('runner', 120).nullable();
    t.text('progress').notNullable().defaultTo('{}');
    t.text('error').nullable();
    t.text('about').notNullable().defaultTo('[]').comment('what is published, for the operator');
    t.integer('changed').notNullable().defaultTo(0).comment('files');
  });
  await knex.raw("create unique index build_jobs_one_running on build_jobs (status) where status = 'running'");
  await knex.schema.createTable('publish_changes', (t) => {
    t.bigIncrements('id');
    t.string('kind', 16).notNullable();
    t.text('key').notNullable();
    t.string('event', 16).nullable().comment('what happened, for the operator');
    t.smallint('priority').notNullable().comment('0 now, 1 many at once, 2 their sitemap, 3 while nothing else waits');
    t.bigInteger('due_at').notNullable().comment('later than now after a failure');
    t.integer('attempts').notNullable().defaultTo(0);
    t.text('cursor').nullable().comment('of a change of many pages: the last one that is done');
    t.index(['priority', 'id'], 'publish_changes_order');
  });
  const field = (column: string, name: string) =>
    isPostgres(knex) ? `${column}::json->>'${name}'` : `json_extract(${column}, '$.${name}')`;
  await knex.raw(`
    insert into publish_changes (kind, key, event, priority, due_at, attempts, "cursor")
    select ${['kind', 'key', 'event'].map((name) => field('payload', name)).join(', ')},
      case kind when 'publish-now' then 0 when 'publish-site' then 0
        when 'publish-many' then 1 when 'publish-links' then 1 when 'publish-sitemap' then 2 else 3 end,
      case when attempts = 0 then cast(${field('payload', 'at')} as bigint) else due_at end,
      attempts, ${field('payload', 'cursor')}
    from jobs where kind like 'publish-%' order by id
  `);
  await knex('jobs').where('kind', 'like', 'publish%').del();
  await knex.raw(`
    insert into build_jobs (status, reason, about, started_at, finished_at, error, changed)
    select case when ${field('after', 'error')} is null then 'succeeded' else 'failed' end,
      ${field('after', 'reason')}, ${field('after', 'about')}, cast(${field('after', 'startedAt')} as bigint), at,
      ${field('after', 'error')}, cast(${field('after', 'changed')} as integer)
    from events where ${ofPublishes} order by id
  `);
  await knex.raw('drop index events_of_publishes');
  await knex('events').whereIn('type', ['site.unchanged', 'site.failed']).del();
}

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
