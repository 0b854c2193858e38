import { afterEach, expect, test } from 'vitest';
import { endpoints } from '#api/endpoints.contract.ts';
import type { Endpoint } from '#contract/route.ts';
import { headerText } from '#site/client/api.ts';
import { ask, made } from '#api/testing/community-polls.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered } from '#api/testing/people.ts';
import { exampleOf } from '#api/testing/schema-example.ts';
import { startTestApp, testAdminPassword } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { slow } from '#api/testing/slow.ts';

/** Characters that make a regular expression backtrack: one with quadratic time takes seconds. */
const long = 24_000;
const texts: readonly string[] = [
  `${'a'.repeat(long)}!`,
  `${' '.repeat(long)}x`,
  `x${'\n'.repeat(long)}x`,
  `${'a.'.repeat(long / 2)}@`,
  `a@${'a.'.repeat(long / 2)}`,
  `a@${'a-'.repeat(long / 2)}!`,
  `http://${'a'.repeat(long)} `,
  '('.repeat(long),
  `https://x/${'('.repeat(long / 2)}${')'.repeat(long / 2)}.,.,`,
  `2026-01-01T${'0'.repeat(long)}Z`,
  `device_${'0'.repeat(long)}!`,
  'é\u0301'.repeat(long / 4),
];

/** CPU milliseconds that one refusal may cost. */
const most = 250;

oneDatabase((open) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());

  test('no text blocks the event loop, whatever its length', slow, async () => {
    const { db } = await open();
    await seedPolls(db, [{ id: 'open' }]);
    const running = await startTestApp(db);
    app = running;
    const member = await registered(running, 'anna');
    const poll = await made(member);
    const comment = await ask<{ id: string }>(member, `/api/community-polls/${poll.id}/comments`, 'POST', {
      content: 'Well.',
    });
    const known = { commentId: comment.body.id, userId: member.user.id, voterFingerprint: member.device };
    const operator = { 'x-admin-password': headerText(testAdminPassword) };

    const slow: string[] = [];
    let asked = 0;
    for (const [name, endpoint] of Object.entries(endpoints) as [string, Endpoint][]) {
      if (endpoint.body === undefined) continue;
      const id = endpoint.path.includes('community') ? poll.id : 'open';
      const path = endpoint.path.replace(/:(\w+)/g, (_, part: string) => ({ ...known, id })[part] ?? 'x');
      const body = exampleOf(endpoint.body, known) as Record<string, unknown>;
      for (const field of Object.keys(body).filter((one) => /^(string|object)$/.test(typeof body[one]))) {
        for (const text of texts) {
          const value = Array.isArray(body[field]) ? [text, text] : text;
          const before = process.cpuUsage();
          const { method } = endpoint;
          const { status } = await member.fetch(path, { method, json: { ...body, [field]: value }, headers: operator });
          const { user, system } = process.cpuUsage(before);
          asked += 1;
          const spent = (user + system) / 1_000;
          if (spent > most || status >= 500) slow.push(`${name} ${field} ${text.slice(0, 12)}: ${status}, ${spent} ms`);
        }
      }
    }
    expect(slow).toEqual([]);
    expect(asked).toBeGreaterThan(200);
  });
});
