import { randomBytes } from 'node:crypto';
import { record } from '#api/events/record.service.ts';
import type { ApiToken, ApiTokenRequest, NewApiToken } from './operators.contract.ts';
import type { ApiScope } from '#contract/vocabulary.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database, Row } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { hashSecret } from '#platform/hash-secret.ts';
import { operatorsApiTexts as texts } from '#texts/operators.ts';
import type { Operator } from '#platform/operator.ts';
import { beginAsOwner } from './shared-password.service.ts';

/** What the use cases of operators need. */
export interface OperatorsContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: Pick<Config, 'publicUrl'>;
}

/** By this, people and secret scanners recognize a leaked token. */
const tokenPrefix = 'wv_';
const mostTokens = 100;
const dayMs = 86_400_000;

/** A row of `api_tokens`; times in milliseconds. */
type TokenRow = Row<'api_tokens'>;

const scopesOf = ({ scopes }: Pick<TokenRow, 'scopes'>) => scopes.split(' ') as ApiScope[];

const present = (row: TokenRow): ApiToken => ({
  id: row.id,
  name: row.name,
  scopes: scopesOf(row),
  madeBy: row.made_by,
  createdAt: iso(row.created_at),
  expiresAt: isoOrNull(row.expires_at),
  lastUsedAt: isoOrNull(row.last_used_day === null ? null : row.last_used_day * dayMs),
});

/** All API tokens, newest first. */
export async function listTokens(db: Database): Promise<{ tokens: ApiToken[] }> {
  return { tokens: (await db('api_tokens').orderBy('id', 'desc').select()).map(present) };
}

/** Creates a token, of which only a digest is stored. Throws BAD_REQUEST for an expiry in the past, CONFLICT for too many, and what `beginAsOwner` throws. */
export async function createToken(
  { db, clock }: Pick<OperatorsContext, 'db' | 'clock'>,
  operator: Operator,
  { name, scopes, expiresAt }: ApiTokenRequest,
): Promise<NewApiToken> {
  const now = clock.now();
  const expires = expiresAt == null ? null : Date.parse(expiresAt);
  if (expires !== null && !(expires > now)) throw errors.badRequest(texts.expired);
  const token = tokenPrefix + randomBytes(32).toString('base64url');
  return db.transaction(async (trx) => {
    await beginAsOwner(trx, operator);
    const ids = await trx('api_tokens').pluck('id');
    if (ids.length >= mostTokens) throw errors.conflict(texts.tooManyTokens);
    const [row] = await trx('api_tokens')
      .insert({
        digest: hashSecret(token),
        name,
        scopes: scopes.join(' '),
        made_by: operator.name,
        made_by_id: operator.id,
        created_at: now,
        expires_at: expires,
      })
      .returning('*');
    const created = present(row!);
    await record(trx, {
      at: now,
      actor: operator,
      type: 'token.create',
      subject: { kind: 'token', id: String(created.id) },
      after: { name, scopes, expiresAt: created.expiresAt },
    });
    return { ...created, token };
  });
}

/** Revokes a token. Throws NOT_FOUND. */
export async function revokeToken(
  { db, clock }: Pick<OperatorsContext, 'db' | 'clock'>,
  operator: Operator,
  id: number,
): Promise<void> {
  await db.transaction(async (trx) => {
    const revoked = await trx('api_tokens').where({ id }).first();
    // Of two at once, the later one deletes nothing.
    if (revoked === undefined || (await trx('api_tokens').where({ id }).delete()) === 0) throw errors.notFound();
    await record(trx, {
      at: clock.now(),
      actor: operator,
      type: 'token.revoke',
      subject: { kind: 'token', id: String(id) },
      before: { name: revoked.name, scopes: scopesOf(revoked) },
    });
  });
}

/** The token with this secret, whose day of last use is recorded; `expired` after its time, undefined: there is none. */
export async function useToken(
  db: Database,
  secret: string,
  now: number,
): Promise<{ readonly name: string; readonly scopes: readonly ApiScope[] } | 'expired' | undefined> {
  const row = await db('api_tokens')
    .where({ digest: hashSecret(secret) })
    .first();
  if (row === undefined) return undefined;
  if (row.expires_at !== null && row.expires_at <= now) return 'expired';
  const today = Math.floor(now / dayMs);
  if (row.last_used_day !== today) await db('api_tokens').where({ id: row.id }).update({ last_used_day: today });
  return { name: row.name, scopes: scopesOf(row) };
}
