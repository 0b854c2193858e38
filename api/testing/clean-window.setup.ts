import { configure } from '@testing-library/react';
import { afterAll, vi } from 'vitest';

// Instead of a second: no test is about speed.
configure({ asyncUtilTimeout: 7_000 });

/** DOM tests share a window with the other files of their worker: the next file finds nothing of this one in it. */
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  document.head.replaceChildren();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie.split('=')[0]}=; path=/; max-age=0`;
  history.replaceState(null, '', '/');
});
