import { countedFurther, namesFurther } from './choices.model.ts';
import type { Database, PostgresConnection } from '#platform/database.ts';
import { addVotesSql, figuresSql, unchangedTotalsSql } from './statistics.service.ts';
import { NewSecrets } from './receipts.ts';
import {
  allBallotsLock,
  ballotLocks,
  ballotsOf,
  batchJson,
  batchResult,
  countersJson,
  forCircumstances,
  openOwnConnection,
  recordedVoteLimits,
  storedTimeSql,
  traitsSql,
} from './vote-batch.ts';
import type { BatchRow, BatchWriter } from './vote-batch.ts';
import { recordVotesSql } from './vote-events.queries.ts';

/**
 * One call is one batch and one transaction. The function belongs to the session, not to the schema, so that processes of
 * different versions can share one database. Locks are taken in one order everywhere: ballots (shared), voters,
 * counters of limits, rows of ballots, each by key, then this process's row of statistics. See handbook decision 050.
 *
 * Each statement of a function sees what was committed before it began, so the second one sees everything that the first
 * one waited for.
 */
const instructions = `
  create or replace function pg_temp.record_votes(
    batch jsonb, touched text[], moment bigint, own_shard integer, counters json, marks json, secrets json
  )
  returns table (tallies text, refusals text, statistics text, used text) language plpgsql as $$
  #variable_conflict use_column
  declare
    locked integer[];
    -- Of each vote of the batch, by its place: its id, 0 if it was not recorded, and what identifies it.
    ids bigint[];
    ballot_keys integer[];
    option_keys integer[];
    devices uuid[];
    cookies uuid[];
    traits smallint[];
    further text[];
    has_members boolean;
    has_further boolean;
    excess integer;
    newcomers integer;
    refused text;
  begin
    -- Whoever reads the new votes waits for the batches that have given out ids; see collectVotes.
    perform pg_advisory_xact_lock_shared(${ballotLocks}, ${allBallotsLock});

    -- Other batches share these locks; see lockBallots. The next statement sees what was committed before.
    locked := array(select key from ballots where id = any (touched) order by key);
    perform pg_advisory_xact_lock_shared(${ballotLocks}, key) from unnest(locked) key;

    -- Two processes that record the same voter on two ballots must not both count a new participant, nor wait for each other.
    perform pg_advisory_xact_lock(key) from (
      select hashtextextended(v ->> 3, 0) as key from jsonb_array_elements(batch) v
      union select hashtextextended(v ->> 4, 0) from jsonb_array_elements(batch) v where v ->> 4 is not null
      union select hashtextextended(v ->> 5, 0) from jsonb_array_elements(batch) v where v ->> 5 is not null
      order by key
    ) voter_keys;

    -- A statement costs almost as much as a vote, even if it finds nothing to do.
    if json_array_length(secrets) > 0 then
      insert into ballot_secrets (ballot_key, secret, after_id)
      select b.key, s ->> 1,
        -- The first votes may have come before there were secrets.
        case when b.total_votes + b.set_aside_votes > b.base_votes then 0
          else (select case when is_called then last_value else 0 end from votes_id_seq) end
      from json_array_elements(secrets) s join ballots b on b.id = s ->> 0
      where b.key = any (locked) and b.is_active and b.closed_at is null and b.erased_at is null
        and b.starts_at <= moment and (b.ends_at is null or b.ends_at > moment)
        and not exists (select from ballot_secrets where ballot_key = b.key)
      order by b.key
      on conflict do nothing;
    end if;

    with incoming as materialized (
      select place, nextval('votes_id_seq') as id, open.ballot_key, open.option_key,
        (v ->> 3)::uuid as device, (v ->> 4)::uuid as cookie,
        -- The vote of an account deleted in the meantime is recorded without one.
        (select users.id from users where users.id = v ->> 5 for key share) as user_id,
        (v ->> 6)::bigint as network, ${traitsSql('(v ->> 7)::integer')}::smallint as traits, (v ->> 9)::uuid as nonce,
        open.further_options
      from jsonb_array_elements(batch) with ordinality as j (v, place)
      -- Each is looked up by its id: merged into one join (without "offset 0"), each vote would be compared with all ballots.
      left join lateral (select * from ballots where ballots.id = v ->> 0 offset 0) b on true
      left join lateral (
        select * from ballot_options where ballot_id = b.id and option_id = v ->> 1 offset 0
      ) o on true
      left join lateral (
        select b.key as ballot_key, o.key as option_key,
          case when b.max_choices > 1 and v -> 10 is not null then (
            select ',' || string_agg(f.key::text, ',' order by j.place) || ','
            from jsonb_array_elements_text(v -> 10) with ordinality as j (option_id, place)
            join ballot_options f on f.ballot_id = b.id and f.option_id = j.option_id
          ) end as further_options
        where b.key = any (locked) and b.kind = v ->> 2 and o.offered and b.is_active and b.closed_at is null
          and b.protection <= (v ->> 8)::smallint
          and b.starts_at <= moment and (b.ends_at is null or b.ends_at > moment)
          and case when v -> 10 is null then b.min_choices = 1 else
            1 + jsonb_array_length(v -> 10) between b.min_choices and b.max_choices and not exists (
              select from jsonb_array_elements_text(v -> 10) j (option_id)
              left join ballot_options f on f.ballot_id = b.id and f.option_id = j.option_id and f.offered
              where f.key is null
            )
          end
      ) open on true
    ),
    fresh as (
      insert into votes (
        id, ballot_key, option_key, device, cookie, user_id, created_at, network, traits, nonce, further_options
      )
      select id, ballot_key, option_key, device, cookie, user_id, ${storedTimeSql('moment')}, network, traits, nonce,
        further_options
      from incoming where option_key is not null
      order by place
      on conflict do nothing
      returning id
    )
    select array_agg(coalesce(f.id, 0) order by place), array_agg(ballot_key order by place),
      array_agg(option_key order by place), array_agg(device order by place), array_agg(cookie order by place),
      array_agg(traits order by place), array_agg(further_options order by place),
      bool_or(user_id is not null), bool_or(further_options is not null)
    into ids, ballot_keys, option_keys, devices, cookies, traits, further, has_members, has_further
    from incoming v left join fresh f using (id);

    if json_array_length(counters) > 0 then
      insert into attempts (key, used, resets_at)
      select c ->> 0, (c ->> 1)::integer, (c ->> 2)::bigint
      from json_array_elements(counters) with ordinality as j (c, place) order by place
      on conflict (key) do update set used = attempts.used + excluded.used;
    end if;

    if json_array_length(marks) > 0 then
      for level in 0 .. ${recordedVoteLimits.length - 1} loop
        -- Removes the votes that exceed a counter of this level.
        for excess in
          select ranked.place from (
            select (m ->> 0)::integer + 1 as place, m ->> 2 as key, (m ->> 3)::integer as points,
              row_number() over (partition by m ->> 2 order by (m ->> 0)::integer) as rank
            from json_array_elements(marks) m
            where (m ->> 1)::integer = level and ids[(m ->> 0)::integer + 1] > 0
          ) ranked
          join attempts a on a.key = ranked.key
          where a.used + ranked.rank > ranked.points
        loop
          delete from votes where device = devices[excess] and ballot_key = ballot_keys[excess];
          ids[excess] := 0;
        end loop;
      end loop;

      update attempts a set used = a.used + c.count
      from (
        select m ->> 2 as key, count(*) from json_array_elements(marks) m
        where ids[(m ->> 0)::integer + 1] > 0 group by m ->> 2
      ) c
      where a.key = c.key;
    end if;

    if has_members then
      ${recordVotesSql(
        false,
        `(
          select v.* from unnest(ids, ballot_keys, devices) as f (id, ballot_key, device)
          join votes v on v.ballot_key = f.ballot_key and v.device = f.device where f.id > 0
        )`,
      )};
    end if;

    newcomers := (
      select count(*) from unnest(ids, devices, cookies) as f (id, device, cookie)
      where id > 0
        and not exists (select from votes w where w.device = f.device and w.id < f.id)
        and not exists (select from votes w where w.cookie = f.cookie and w.id < f.id)
        and not exists (select from voters where digest in (f.device, f.cookie))
    );

    refused := '[]';
    if 0 = any (ids) then
      refused := (
        select coalesce(json_agg(
          json_build_array(place - 1, o.option_id, replace(w.device::text, '-', ''), replace(w.cookie::text, '-', ''),
            replace(w.nonce::text, '-', ''), w.created_at, w.traits is not null,
            case when w.further_options is not null then (
              select json_agg(f.option_id order by strpos(w.further_options, ',' || f.key || ','))
              from ballot_options f where f.ballot_id = b.id and ${namesFurther('w', 'f.key')}
            ) end) order by place
        ), '[]')
        from jsonb_array_elements(batch) with ordinality as j (v, place)
        left join ballots b on b.id = v ->> 0
        left join lateral (
          select 1 as rank, * from votes where ballot_key = b.key and device = (v ->> 3)::uuid
          union all
          select 2, * from votes where ballot_key = b.key and cookie = (v ->> 4)::uuid
          union all
          select 3, * from votes where ballot_key = b.key and user_id = v ->> 5
          order by rank limit 1
        ) w on true
        left join ballot_options o on o.key = w.option_key
        where ids[place] = 0
      )::text;
    end if;

    -- From here to the commit, other batches on these ballots wait, so all that reads votes comes before.
    perform from ballots where key = any (ballot_keys) order by key for no key update;

    if has_further then
      update ballot_options o set votes = o.votes + c.count
      from (
        select f.key, count(*)
        from ${countedFurther(`(
          select t.id, t.ballot_key, t.further_options
          from unnest(ids, ballot_keys, further) as t (id, ballot_key, further_options) where t.id > 0
        )`)}
        group by f.key
      ) c
      where o.key = c.key;
    end if;

    with fresh as materialized (
      select * from unnest(ids, ballot_keys, option_keys, traits)
        as t (id, ballot_key, option_key, traits)
      where id > 0
    ),
    counted_options as (
      update ballot_options o set votes = o.votes + c.count,
        ${forCircumstances(({ column }) => `${column} = o.${column} + c.${column}`)}
      from (
        select option_key, count(*),
          ${forCircumstances(({ column, trait }) => `count(*) filter (where traits & ${trait} <> 0) as ${column}`)}
        from fresh group by option_key
      ) c
      where o.key = c.option_key
    ),
    counted_ballots as (
      update ballots b set total_votes = b.total_votes + c.count
      from (select ballot_key, count(*) from fresh group by ballot_key) c
      where b.key = c.ballot_key
      returning case when b.listed and b.in_totals then c.count else 0 end as count
    )
    ${addVotesSql(
      'select coalesce(sum(count), 0) from counted_ballots',
      'newcomers',
      'own_shard',
    )} and exists (select from fresh);

    return query select
      (
        select coalesce(json_agg(json_build_array(
          b.id, b.kind, b.is_active, b.starts_at, b.ends_at, b.closed_at, b.total_votes, b.protection,
          (select secret from ballot_secrets where ballot_key = b.key),
          (select json_build_array(l.key, l.results) from vote_logs l where l.ballot_key = b.key),
          (select updated_at from polls where polls.id = b.id),
          json_build_array(b.method, b.min_choices, b.max_choices),
          (
            select coalesce(json_agg(json_build_array(option_id, votes, offered) order by position), '[]')
            from ballot_options where ballot_id = b.id
          )
        )), '[]')
        from ballots b where b.id = any (touched)
      )::text,
      refused,
      (
        select json_build_object(${figuresSql('moment')
          .map(([name, sql]) => `'${name}', ${sql}`)
          .join()}) from statistics
      )::text,
      (
        select coalesce(json_agg(json_build_array(a.key, a.used)), '[]')
        from attempts a where a.key in (select c ->> 0 from json_array_elements(counters) c)
      )::text;
  end;
  $$;
`;

/** Opens a separate connection for votes, so that they do not wait for reads. */
export async function openPostgresWriter(db: Database, shard: number): Promise<BatchWriter> {
  const own = await openOwnConnection(db);
  const connection = own.connection as PostgresConnection;
  // Queries reject when the connection breaks; without an error listener the process would end, too.
  connection.on('error', () => undefined);
  // A plan made while a table was small would still scan it after it has grown; every lookup here has an index. By default
  // PostgreSQL plans again for the values of each batch on few polls, which took a fifth of its time.
  await connection.query(
    'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set jit = off;' +
      'set plan_cache_mode = force_generic_plan;' +
      instructions,
  );

  const secrets = new NewSecrets();

  return {
    async record(batch, now, rejections) {
      const { counters, marks } = countersJson(batch, rejections);
      const touched = ballotsOf(batch);
      const { rows } = await connection.query<BatchRow>({
        name: 'record_votes',
        text: 'select tallies, refusals, statistics, used from pg_temp.record_votes($1, $2, $3, $4, $5, $6, $7)',
        values: [batchJson(batch), touched, now, shard, counters, marks, secrets.offer(touched, now)],
      });
      const [row] = rows;
      if (!row) throw new Error('PostgreSQL returned no row for a batch of votes.');
      const result = batchResult(row);
      secrets.learn(result.tallies, now);
      return result;
    },
    async testWrite() {
      await connection.query(unchangedTotalsSql(shard));
    },
    close: own.close,
  };
}
