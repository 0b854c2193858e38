import { afterEach, expect, test, vi } from 'vitest';
import { keepToast } from '#site/ui/kept-toast.ts';
import member from './member.ts';

afterEach(() => {
  sessionStorage.clear();
  document.cookie = 'wv_account=; path=/; max-age=0';
});

const isLoaded = () => {
  const load = vi.fn(() => Promise.resolve(() => Promise.resolve()));
  member(load, { name: 'member', value: '' }, document.body);
  return load.mock.calls.length > 0;
};

test('the account menu is loaded only for members and people who just signed out', () => {
  expect(isLoaded()).toBe(false);
  keepToast({ title: 'Logged out' });
  expect(isLoaded()).toBe(true);
  sessionStorage.clear();
  document.cookie = 'wv_account=1; path=/';
  expect(isLoaded()).toBe(true);
});
