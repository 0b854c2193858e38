import { expect, test } from 'vitest';
import { whyNotSaved } from './save-rule.ts';

const reason = (init: ResponseInit, address = '/poll/tea') => whyNotSaved(address, new Response(null, init));

test('a response for everyone is saved', () => {
  expect(reason({})).toBeNull();
  expect(reason({ headers: { 'cache-control': 'no-cache', 'content-type': 'text/html' } })).toBeNull();
});

test('errors, redirects, and empty responses are not saved, except for the page about missing addresses', () => {
  for (const status of [204, 301, 404, 410, 500, 503])
    expect(reason({ status })).toBe(`The page has the status ${status}.`);
  expect(reason({ status: 404 }, '/404')).toBeNull();
  expect(reason({ status: 500 }, '/404')).not.toBeNull();
});

test('a response that sets a cookie, or that no cache may keep for everyone, is not saved', () => {
  expect(reason({ headers: { 'set-cookie': 'a=b' } })).toBe('The page sets a cookie.');
  for (const value of ['private', 'no-store', 'Private, max-age=60', 'no-cache, no-store'])
    expect(reason({ headers: { 'cache-control': value } })).toContain(value);
});
