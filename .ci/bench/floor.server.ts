import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import Koa from 'koa';
import { deviceIdPattern } from '#contract/vocabulary.ts';
import { phaseOf } from '#domain/poll-lifecycle.ts';
import { readConfig } from '#platform/config.ts';
import { isSqlite, openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { serve } from './server-process.ts';

/** The floor: naive voting with one Knex transaction per vote, on the same schema with the same checks. */
const db = openDatabase(readConfig().databaseUrl);
const deviceId = new RegExp(deviceIdPattern);

interface Ballot {
  readonly key: number;
  readonly is_active: boolean | 0 | 1;
  readonly listed: boolean | 0 | 1;
  readonly in_totals: boolean | 0 | 1;
  readonly starts_at: number;
  readonly ends_at: number | null;
  readonly closed_at: number | null;
}

async function cast(trx: Database, ballotId: string, optionId: string, device: Buffer | string): Promise<number> {
  const ballot = await trx('ballots').where({ id: ballotId, kind: 'poll' }).forUpdate().first<Ballot | undefined>();
  if (!ballot) return 404;
  const span = {
    isActive: Boolean(ballot.is_active),
    startsAt: ballot.starts_at,
    endsAt: ballot.ends_at,
    closedAt: ballot.closed_at,
  };
  const now = Date.now();
  if (phaseOf(span, now) !== 'open') return 409;
  const option = await trx('ballot_options')
    .where({ ballot_id: ballotId, option_id: optionId, offered: true })
    .first<{ key: number } | undefined>('key');
  if (!option) return 400;
  const vote = { ballot_key: ballot.key, device };
  if (await trx('votes').where(vote).first('id')) return 409;
  const known = await trx('votes').where({ device }).first('id');
  await trx('votes').insert({ ...vote, option_key: option.key, created_at: now });
  await trx('ballot_options').where({ key: option.key }).increment('votes', 1);
  await trx('ballots').where({ id: ballotId }).increment('total_votes', 1);
  await trx('statistics')
    .where({ shard: 0 })
    .increment({ total_votes: ballot.listed && ballot.in_totals ? 1 : 0, total_participants: known ? 0 : 1 });
  return 200;
}

const koa = new Koa();
koa.use(async (ctx) => {
  const chunks: Buffer[] = [];
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) chunks.push(chunk);
  const { optionId } = JSON.parse(Buffer.concat(chunks).toString()) as { optionId: string };
  const device = ctx.get('x-device-id');
  if (!deviceId.test(device)) {
    ctx.status = 400;
    return;
  }
  const ballotId = ctx.path.split('/')[3] ?? '';
  const digest = hash('sha256', device).slice(0, 32);
  const stored = isSqlite(db) ? Buffer.from(digest, 'hex') : digest;
  ctx.status = await db.transaction((trx) => cast(trx, ballotId, optionId, stored));
  ctx.body = { recorded: optionId };
});

const handle = koa.callback();
serve(
  createServer((request, response) => void handle(request, response)),
  () => db.destroy(),
);
