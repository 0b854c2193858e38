import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { User } from '#contract/account.ts';
import type { TestApp } from './test-app.ts';

/** A browser of somebody: keeps the cookies that the API sets, and has a device id of its own. */
export interface Visitor {
  readonly device: string;
  /** What the browser keeps, by name; a test may change it. */
  readonly cookies: Map<string, string>;
  /** A call with this browser's cookies and device id. A body that is given as `json` is sent as JSON. */
  fetch(path: string, init?: RequestInit & { json?: unknown }): Promise<Response>;
}

/** A browser in which somebody is signed in. */
export interface Member extends Visitor {
  readonly user: User;
}

/** The password of everybody in the tests. */
export const testPassword = 'correct horse battery';

/** A browser that has never been here. */
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

/** Registers somebody from a browser of their own, or from the one that is given. */
export async function registered(
  app: TestApp,
  username: string,
  more: { email?: string; firstName?: string; lastName?: string; password?: string } = {},
  browser: Visitor = visitor(app),
): Promise<Member> {
  const json = { username, password: testPassword, ...more };
  const response = await browser.fetch('/api/register', { method: 'POST', json });
  expect(response.status, `registering ${username}`).toBe(201);
  return { ...browser, user: (await response.json()) as User };
}

/** Signs somebody in on a browser that has never been here. */
export async function signedIn(app: TestApp, username: string, password = testPassword): Promise<Member> {
  const browser = visitor(app);
  const response = await browser.fetch('/api/login', { method: 'POST', json: { username, password } });
  expect(response.status, `signing ${username} in`).toBe(200);
  return { ...browser, user: (await response.json()) as User };
}

/** Does with a Set-Cookie line what a browser does. */
function keep(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
  const gone = value === '' || /max-age=0(;|$)/i.test(line) || /expires=Thu, 01 Jan 1970/i.test(line);
  if (gone) cookies.delete(name);
  else cookies.set(name, value);
}
