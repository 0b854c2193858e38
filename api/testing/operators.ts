import type { OperatorRole } from '#contract/vocabulary.ts';
import type { Database } from '#platform/database.ts';
import { registered } from './people.ts';
import type { NewMember } from './people.ts';
import { testAdminPassword } from './test-app.ts';
import type { TestApp } from './test-app.ts';

/** The headers of a request with the shared password. */
export const sharedPassword = { 'x-admin-password': Buffer.from(testAdminPassword).toString('latin1') };

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
