import type { Knex } from 'knex';

/** Polls read and rows inserted by one statement. */
const atOnce = 500;

/**
 * Polls by tag and by series. `closed_at` repeats the ballot’s, so that a list is read from one index; a trigger keeps
 * them equal.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table polls add column series varchar(200)');
  await knex.schema.createTable('poll_topics', (t) => {
    t.string('poll_id', 80).notNullable().references('id').inTable('polls').onDelete('CASCADE');
    t.string('kind', 8).notNullable().checkIn(['tag', 'series'], 'poll_topics_kind');
    t.string('slug', 80).notNullable();
    t.string('name', 200).notNullable().comment('as the poll spells it');
    t.bigInteger('closed_at').nullable();
    t.primary(['poll_id', 'kind', 'slug']);
  });
  await knex.raw(
    'create index poll_topics_closed on poll_topics (kind, slug, closed_at, poll_id) where closed_at is not null',
  );
  for (const statement of isPostgres(knex) ? postgresFollow : sqliteFollow) await knex.raw(statement);

  for (let after = ''; ;) {
    const polls = await knex('polls')
      .join('ballots', 'ballots.id', 'polls.id')
      .where('polls.id', '>', after)
      .orderBy('polls.id')
      .limit(atOnce)
      .select<{ id: string; tags: string; closed_at: number | null }[]>('polls.id', 'tags', 'closed_at');
    const rows = polls.flatMap(({ id, tags, closed_at }) => {
      const bySlug = new Map((JSON.parse(tags) as string[]).map((name) => [topicSlug(name), name]));
      return [...bySlug].map(([slug, name]) => ({ poll_id: id, kind: 'tag', slug, name, closed_at }));
    });
    for (let from = 0; from < rows.length; from += atOnce)
      await knex('poll_topics').insert(rows.slice(from, from + atOnce));
    if (polls.length < atOnce) return;
    after = polls.at(-1)!.id;
  }
}

const sqliteFollow = [
  `create trigger poll_topics_follow after update of closed_at on ballots when new.closed_at is not old.closed_at
   begin update poll_topics set closed_at = new.closed_at where poll_id = new.id; end`,
];

const postgresFollow = [
  `create function poll_topics_follow() returns trigger language plpgsql as $$
   begin update poll_topics set closed_at = new.closed_at where poll_id = new.id; return null; end $$`,
  `create trigger poll_topics_follow after update of closed_at on ballots for each row
   when (new.closed_at is distinct from old.closed_at) execute function poll_topics_follow()`,
];

/** As in api/domain/topics.ts at the time of this migration. */
function topicSlug(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  const letters = Array.from(words);
  const isWhole = /^[\p{L}\p{M}\p{N}\s&,.…/:;()!?'’“”"–—-]*$/u.test(name) && letters.length <= 40;
  if (words !== '' && isWhole) return words;
  let hash = 0x811c9dc5;
  const text = name.normalize('NFC').trim().toLowerCase();
  for (let place = 0; place < text.length; place += 1)
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193) >>> 0;
  const start = letters.slice(0, 40).join('').replace(/-$/, '');
  return start === '' ? hash.toString(36) : `${start}-${hash.toString(36)}`;
}

export async function down(knex: Knex): Promise<void> {
  const postgres = isPostgres(knex);
  await knex.raw(`drop trigger poll_topics_follow${postgres ? ' on ballots' : ''}`);
  if (postgres) await knex.raw('drop function poll_topics_follow');
  await knex.schema.dropTable('poll_topics');
  await knex.raw('alter table polls drop column series');
}

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
