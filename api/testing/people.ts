import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { RegisteredUser, User } from '#api/members/accounts/accounts.contract.ts';
import type { TestApp } from './test-app.ts';

/** A visitor’s browser with cookies and a device id. */
export interface Visitor {
  readonly device: string;
  /** The cookies by name; a test may change them. */
  readonly cookies: Map<string, string>;
  /** A call with this browser’s cookies and device id; `json` is sent as a JSON body. */
  fetch(path: string, init?: RequestInit & { json?: unknown }): Promise<Response>;
}

/** A browser with a signed-in member. */
export interface Member extends Visitor {
  readonly user: User;
}

/** A member who has just registered. */
export interface NewMember extends Member {
  readonly recoveryCodes: readonly string[];
  readonly emailToConfirm: string | null;
}

/** The password of all test members. */
export const testPassword = 'correct horse battery';

/** A new browser. */
export function visitor(app: TestApp): Visitor {
  const device = `device_${randomUUID().replaceAll('-', '')}`;
  const cookies = new Map<string, string>();
  return {
    device,
    cookies,
    async fetch(path, { json, ...init } = {}) {
      const headers = new Headers(init.headers);
      if (!headers.has('x-device-id')) headers.set('x-device-id', device);
      if (cookies.size > 0) headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '));
      if (json !== undefined) headers.set('content-type', 'application/json');
      const body = json === undefined ? {} : { body: JSON.stringify(json) };
      const response = await app.fetch(path, { ...init, ...body, headers, redirect: 'manual' });
      for (const line of response.headers.getSetCookie()) keep(cookies, line);
      return response;
    },
  };
}

/** Registers a member from a new or the given browser. */
export async function registered(
  app: TestApp,
  username: string,
  more: { email?: string; firstName?: string; lastName?: string; password?: string } = {},
  browser: Visitor = visitor(app),
): Promise<NewMember> {
  const json = { username, password: testPassword, ...more };
  const response = await browser.fetch('/api/register', { method: 'POST', json });
  expect(response.status, `registering ${username}`).toBe(201);
  const { recoveryCodes, emailToConfirm, ...user } = (await response.json()) as RegisteredUser;
  return { ...browser, user, recoveryCodes, emailToConfirm };
}

/** Signs a member in on a new browser. */
export async function signedIn(app: TestApp, username: string, password = testPassword): Promise<Member> {
  const browser = visitor(app);
  const response = await browser.fetch('/api/login', { method: 'POST', json: { username, password } });
  expect(response.status, `signing ${username} in`).toBe(200);
  return { ...browser, user: (await response.json()) as User };
}

/** Handles a Set-Cookie line like a browser. */
function keep(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
  const gone = value === '' || /max-age=0(;|$)/i.test(line) || /expires=Thu, 01 Jan 1970/i.test(line);
  if (gone) cookies.delete(name);
  else cookies.set(name, value);
}
