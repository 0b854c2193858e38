import { randomUUID } from 'node:crypto';
import { pathOf } from '#contract/routes.ts';
import { call } from './visitors.ts';

/** Somebody who has signed in, and whether they still are. */
export interface Member {
  isSignedIn(): Promise<boolean>;
}

/** Registers somebody at an installation. */
export async function register(origin: string): Promise<Member> {
  const answer = await call(origin + pathOf('register'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: `m-${randomUUID().slice(0, 12)}`, password: 'correct horse battery' }),
  });
  const cookies = (answer.headers['set-cookie'] as string[] | undefined) ?? [];
  const cookie = cookies.map((line) => line.split(';')[0]).join('; ');
  if (answer.status !== 201) throw new Error(`Nobody can register: ${answer.status} ${answer.body}`);
  return {
    async isSignedIn() {
      const user = await call(origin + pathOf('user'), { headers: { cookie } });
      return user.status === 200 && user.body.includes('username');
    },
  };
}
