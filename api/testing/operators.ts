import { sharedActs } from '#api/events/events.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { OperatorRole } from '#contract/vocabulary.ts';
import type { Database } from '#platform/database.ts';
import { registered, visitor } from './people.ts';
import type { NewMember } from './people.ts';
import { testAdminPassword } from './test-app.ts';
import type { TestApp } from './test-app.ts';

/** The headers of a request with the shared password. */
export const sharedPassword = { 'x-admin-password': Buffer.from(testAdminPassword).toString('latin1') };

/** Makes an admin call with the shared password, and reads the response. */
// The caller names the expected type; the contract's tests check shapes.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export async function askAdmin<T = ErrorBody>(
  app: TestApp,
  method: string,
  path: string,
  json?: object,
): Promise<{ readonly status: number; readonly body: T & Partial<ErrorBody> }> {
  const browser = visitor(app);
  const response = await browser.fetch(path, { method, headers: sharedPassword, ...(json !== undefined && { json }) });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text === '' ? '{}' : text) as T & Partial<ErrorBody> };
}

/** A new visitor’s vote on a weekly poll; the status of the response. */
export async function voteOnce(app: TestApp, id: string, optionId: string): Promise<number> {
  const response = await visitor(app).fetch(`/api/polls/${id}/vote`, { method: 'POST', json: { optionId } });
  await response.arrayBuffer();
  return response.status;
}

/** A member who has just registered and is an operator, without an invitation. */
export async function seedOperator(
  db: Database,
  app: TestApp,
  username: string,
  role: OperatorRole,
): Promise<NewMember> {
  const member = await registered(app, username);
  const row = { user_id: member.user.id, role, created_at: app.clock.now() - 1, invited_by: 'operator' };
  await db('operators').insert(row);
  return member;
}

/** The events that the audit log shows, by its names. */
export function auditLog(db: Database) {
  const action = Object.entries(sharedActs).map(([name, type]) => `when '${type}' then '${name}'`);
  return db.from(
    db('events')
      .whereNotNull('actor')
      .select('id', 'at', 'actor', 'actor_id', 'subject', 'before', 'after', 'subject_kind as kind')
      .select(db.raw(`case type ${action.join(' ')} else type end as action`))
      .as('audit_log'),
  );
}
