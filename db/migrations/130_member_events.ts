import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import { sortOnDisk } from '#db/conversions/compact-votes.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** Characters of a comment as long as comments can be, and members before whom a sign-up was early, as they were then. */
const [fullComment, earlyMembers] = [500, 100];

/** Many events are more than fits in memory. */
export async function prepare(db: Knex): Promise<void> {
  if (!isPostgres(db)) await sortOnDisk(db);
}

/**
 * What members did are events; badges and figures are queries of them and of the rows that exist, so facts, progress, and
 * activities go, and with them the marks of what had not become a fact. Of a vote, the day stays and what badges need of its
 * time. Figures of polls that are deleted are events of their creators.
 */
export async function up(knex: Knex): Promise<void> {
  const sql = dialectOf(knex);
  // In the order in which votes lock tables.
  if (isPostgres(knex)) await knex.raw('lock table ballots in access exclusive mode');
  await knex.raw(
    `insert into events (at, type, subject_kind, subject, member_id, after)
     select at, type, kind, subject, user_id, after from (
       ${[...eventsOfFacts(sql), ...eventsOfActivities(sql)].join(' union all ')}
     ) known
     -- Ids are in the order of time. Activities of which there is no fact are older than facts.
     order by moment, place, id
     on conflict do nothing`,
  );
  await knex.raw(figuresOfDeletedPolls(sql));
  // Those that had not become facts.
  await recordVotes(knex, '(select * from votes where user_id is not null and not noted)');
  await recordGuests(knex);

  for (const index of ['votes_pending', 'ballots_unnoted', 'community_poll_guests_unnoted'])
    await knex.raw(`drop index ${index}`);
  for (const [table, column] of marks) await knex.raw(`alter table ${table} drop column ${column}`);
  for (const table of ['activity_days', 'activities', 'progress', 'facts']) await knex.schema.dropTable(table);
  await knex.raw(
    `create index events_of_member on events (member_id, type, (at / ${dayMs}), id) where member_id is not null`,
  );
}

const marks = [
  ['votes', 'noted'],
  ['ballots', 'unnoted'],
  ['ballots', 'noted_votes'],
  ['ballots', 'noted_end'],
  ['community_poll_guests', 'noted'],
] as const;

/** How an engine reads a member of the JSON in a column. */
interface Dialect {
  /** As JSON. */
  readonly json: (column: string, name: string) => string;
  readonly number: (column: string, name: string) => string;
  /** A text as JSON. */
  readonly quoted: (column: string) => string;
}

function dialectOf(knex: Knex): Dialect {
  return isPostgres(knex)
    ? {
        json: (column, name) => `coalesce((${column}::json -> '${name}')::text, 'null')`,
        number: (column, name) => `(${column}::json ->> '${name}')::bigint`,
        quoted: (column) => `coalesce(to_json(${column})::text, 'null')`,
      }
    : {
        json: (column, name) => `coalesce(${column} -> '$.${name}', 'null')`,
        number: (column, name) => `(${column} ->> '$.${name}')`,
        quoted: (column) => `json_quote(${column})`,
      };
}

/**
 * JSON of what badges need of a vote: conditions in SQL, of which the last ones are null for votes without an end. Where
 * `timed` is false, the vote is erased, and only its day is known.
 */
function voteDetails(
  category: string,
  { at, own, startsAt, endsAt, timed }: { at: string; own: string; startsAt: string; endsAt: string; timed: string },
): string {
  const hour = `${at} / ${hourMs} % 24`;
  const traits = [
    ['own', own],
    ['firstHour', `${at} - ${startsAt} < ${hourMs}`],
    ['lastHour', `${endsAt} - ${at} <= ${hourMs}`],
    ['night', `${hour} < 5`],
    ['dawn', `${hour} >= 5 and ${hour} < 8`],
    ['midnight', `${at} % ${dayMs} < 60000`],
  ].map(
    ([trait, condition]) =>
      `case when ${trait === 'own' ? '' : `${timed} and `}${condition} then '"${trait}",' else '' end`,
  );
  return `'{"category":' || ${category} || ',"traits":[' || rtrim(${traits.join(' || ')}, ',') || ']'`;
}

const eventColumns = (type: string, kind: string, subject: string, after: string) =>
  `'${type}' as type, ${kind} as kind, ${subject} as subject, ${after} as after, 1 as place`;

function eventsOfFacts({ json, number }: Dialect): string[] {
  const of = (name: string) => json('details', name);
  const numberOf = (name: string) => number('details', name);
  const early = `details like '%"early":true%' or ${numberOf('membersBefore')} < ${earlyMembers}`;
  const vote = voteDetails(of('category'), {
    ...{ at: 'at', own: `${of('ownPoll')} = 'true'`, startsAt: numberOf('startsAt'), endsAt: numberOf('endsAt') },
    timed: '1 = 1',
  });
  // Only of polls that are deleted nobody can look it up.
  const gone = `details like '%"setAside":true%' and not exists (select 1 from ballots where id = facts.subject)`;
  const ballotKind = `case ${of('kind')} when '"poll"' then 'poll' else 'community-poll' end`;
  const pollKind = `case when exists (select 1 from community_polls where id = facts.subject) then 'community-poll' else 'poll' end`;
  const [community, poll] = ["'community-poll'", `'{"poll":' || ${of('pollId')} || ',"full":'`];
  const whole = (fact: string, columns: string) =>
    `select id, user_id, at as moment, at, ${columns} from facts where fact = '${fact}'`;
  return [
    whole(
      'account_created',
      eventColumns(
        'member.joined',
        "'member'",
        'user_id',
        `case when ${early} then '{"early":true}' else '{"early":false}' end`,
      ),
    ),
    whole('day_active', eventColumns('member.active', "'day'", 'subject', 'null')),
    `select id, user_id, at as moment, at - at % ${dayMs} as at,
       ${eventColumns('vote.cast', ballotKind, 'subject', `${vote} || case when ${gone} then ',"setAside":true}' else '}' end`)}
     from facts where fact = 'vote_cast'`,
    whole(
      'poll_created',
      eventColumns(
        'poll.created',
        community,
        'subject',
        `'{"visibility":' || ${of('visibility')} || ',"category":' || ${of('category')} || ',"options":' || ${of('options')} || '}'`,
      ),
    ),
    whole(
      'comment_posted',
      eventColumns(
        'comment.posted',
        "'comment'",
        'subject',
        `${poll} || case when ${numberOf('length')} >= ${fullComment} then 'true}' else 'false}' end`,
      ),
    ),
    whole('poll_opened', eventColumns('poll.viewed', pollKind, 'subject', 'null')),
    whole('poll_shared', eventColumns('poll.shared', pollKind, 'subject', 'null')),
    whole('own_poll_featured', eventColumns('poll.featured', community, 'subject', 'null')),
    whole('invitation_followed', eventColumns('invitation.followed', community, 'subject', 'null')),
    whole('invite_accepted', eventColumns('invitation.accepted', community, 'subject', 'null')),
  ];
}

function eventsOfActivities({ json }: Dialect): string[] {
  const of = (name: string) => json('metadata', name);
  const kind = `case entity_type when 'poll' then 'poll' else 'community-poll' end`;
  const activities = (type: string, at: string, columns: string) =>
    `select id, user_id, created_at as moment, ${at} as at, ${columns.replace('1 as place', '2 as place')}
     from activities where activity_type = '${type}'`;
  return [
    activities(
      'vote',
      `created_at - created_at % ${dayMs}`,
      eventColumns('vote.cast', kind, 'entity_id', `'{"category":' || ${of('category')} || ',"traits":[]}'`),
    ),
    activities('poll_created', 'created_at', eventColumns('poll.created', "'community-poll'", 'entity_id', 'metadata')),
    activities(
      'comment',
      'created_at',
      eventColumns('comment.posted', "'comment'", 'entity_id', `'{"poll":' || ${of('pollId')} || ',"full":false}'`),
    ),
    activities('badge_earned', 'created_at', eventColumns('badge.earned', "'badge'", 'entity_id', 'metadata')),
  ];
}

function figuresOfDeletedPolls({ json }: Dialect): string {
  const of = (name: string) => json('details', name);
  const most = (fact: string) => `coalesce(max(case when fact = '${fact}' then amount end), 0)`;
  const qualified = `max(case when fact = 'own_poll_qualified' and details not like '%"setAside":true%' then 1 else 0 end)`;
  const result = `max(case when fact = 'own_poll_closed' then '[' || ${of('first')} || ',' || ${of('second')} || ']' end)`;
  return `insert into events (at, type, subject_kind, subject, member_id, after)
    select max(at), 'poll.figures', 'community-poll', subject, user_id,
      '{"votes":' || ${most('own_poll_voted')} || ',"comments":' || ${most('own_poll_commented')} ||
      ',"qualified":' || case ${qualified} when 1 then 'true' else 'false' end ||
      ',"result":' || coalesce(${result}, 'null') || '}'
    from facts
    where fact in ('own_poll_voted', 'own_poll_commented', 'own_poll_qualified', 'own_poll_closed')
      and not exists (select 1 from community_polls where id = facts.subject)
    group by user_id, subject
    on conflict do nothing`;
}

/** Records votes of members, a query in parentheses. */
export async function recordVotes(knex: Knex, votes: string): Promise<void> {
  const of = { at: 'v.created_at', own: 'p.created_by = v.user_id', startsAt: 'b.starts_at', endsAt: 'b.ends_at' };
  const details = voteDetails(dialectOf(knex).quoted('b.category'), { ...of, timed: 'b.erased_at is null' });
  await knex.raw(
    `insert into events (at, type, subject_kind, subject, member_id, after)
     select v.created_at - v.created_at % ${dayMs}, 'vote.cast',
       case b.kind when 'poll' then 'poll' else 'community-poll' end, b.id, v.user_id, ${details} || '}'
     from ${votes} v join ballots b on b.key = v.ballot_key left join community_polls p on p.id = b.id
     -- SQLite would take the conflict for a condition of the join.
     where true
     on conflict do nothing`,
  );
}

/** Followed invitations that had not become facts. */
async function recordGuests(knex: Knex): Promise<void> {
  const guests = await knex('community_poll_guests as guest')
    .join('community_polls as poll', 'poll.id', 'guest.poll_id')
    .whereRaw('guest.accepted_at is not null and not guest.noted')
    .select<{ poll: string; guest: string; at: number; host: string | null }[]>(
      ...['guest.poll_id as poll', 'guest.user_id as guest', 'guest.accepted_at as at', 'poll.created_by as host'],
    );
  for (const { poll, guest, at, host } of guests) {
    const event = { at, subject_kind: 'community-poll' };
    const followed = { ...event, type: 'invitation.followed', subject: poll, member_id: guest };
    // A digest recognizes the same guest, but tells nobody who it was.
    const subject = `${poll}/${hash('sha256', `${poll}/${guest}`, 'base64url')}`;
    const accepted = { ...event, type: 'invitation.accepted', subject, member_id: host };
    for (const row of host === null ? [followed] : [followed, accepted])
      await knex('events').insert(row).onConflict().ignore();
  }
}

/** Works only without members’ events: they don’t say what facts said. */
export async function down(knex: Knex): Promise<void> {
  if ((await knex('events').whereNotNull('member_id').first(knex.raw('1 as found'))) !== undefined)
    throw new Error('Earlier releases cannot read what members did. Restore a backup instead.');
  await knex.raw('drop index events_of_member');
  await knex.schema.createTable('facts', (t) => {
    t.bigIncrements('id');
    t.string('user_id', 40).notNullable().references('id').inTable('users').onDelete('CASCADE');
    t.string('fact', 24).notNullable();
    t.string('subject', 130).notNullable();
    t.bigInteger('at').notNullable();
    t.bigInteger('amount').nullable();
    t.text('details').notNullable().defaultTo('{}');
    t.boolean('counted').notNullable().defaultTo(false);
    t.unique(['user_id', 'fact', 'subject'], { indexName: 'facts_once' });
    t.index(['user_id', 'at', 'id'], 'facts_in_time');
  });
  await knex.raw('create index facts_uncounted on facts (user_id, at, id) where not counted');
  await knex.schema.createTable('progress', (t) => {
    t.string('user_id', 40).primary().references('id').inTable('users').onDelete('CASCADE');
    t.text('figures').notNullable();
  });
  await knex.schema.createTable('activities', (t) => {
    t.bigIncrements('id');
    t.string('user_id', 40).notNullable().references('id').inTable('users').onDelete('CASCADE');
    t.string('activity_type', 24)
      .notNullable()
      .checkIn(['vote', 'poll_created', 'comment', 'badge_earned'], 'activities_type');
    t.string('entity_id', 80).notNullable();
    t.string('entity_type', 24).notNullable();
    t.text('metadata').notNullable().defaultTo('{}');
    t.bigInteger('created_at').notNullable();
    t.index(['user_id', 'created_at', 'id'], 'activities_newest');
    t.index(['user_id', 'activity_type', 'created_at', 'id'], 'activities_by_type');
    t.unique(['user_id', 'activity_type', 'entity_id'], { indexName: 'activities_once' });
  });
  await knex.schema.createTable('activity_days', (t) => {
    t.string('user_id', 40).notNullable().references('id').inTable('users').onDelete('CASCADE');
    t.integer('day').notNullable();
    t.integer('count').notNullable();
    t.primary(['user_id', 'day']);
  });
  await knex.raw(`alter table votes add column noted boolean not null default ${isPostgres(knex) ? 'false' : '0'}`);
  await knex.schema.alterTable('community_poll_guests', (t) => t.boolean('noted').notNullable().defaultTo(false));
  await knex.schema.alterTable('ballots', (t) => {
    t.bigInteger('noted_votes').notNullable().defaultTo(0);
    t.boolean('noted_end').notNullable().defaultTo(false);
  });
  await knex.raw(
    `alter table ballots add column unnoted boolean generated always as
       (kind = 'community' and (total_votes > noted_votes or (closed_at is not null and not noted_end)))
     ${isPostgres(knex) ? 'stored' : 'virtual'}`,
  );
  for (const index of [
    'ballots_unnoted on ballots (id) where unnoted',
    'votes_pending on votes (user_id) where user_id is not null and not noted',
    'community_poll_guests_unnoted on community_poll_guests (user_id) where accepted_at is not null and not noted',
  ])
    await knex.raw(`create index ${index}`);
}

function isPostgres(knex: Knex): boolean {
  return (knex.client as { config: Knex.Config }).config.client === 'pg';
}
