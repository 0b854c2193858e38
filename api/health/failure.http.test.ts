import { afterEach, expect, test } from 'vitest';
import { oneDatabase } from '#api/testing/databases.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

oneDatabase((open) => {
  let app: TestApp | undefined;
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  test('[D10.4] an internal error is 500 with the id of the request, and reveals nothing else', async () => {
    const { db } = await open();
    app = await startTestApp(db);
    await db.destroy();
    const response = await app.fetch('/api/statistics');
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      message: 'Something went wrong on our side. Please try again.',
      code: 'INTERNAL_ERROR',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
  });
});
