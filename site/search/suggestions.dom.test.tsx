import { fireEvent, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SearchSuggestion } from '#api/search/search.contract.ts';
import { suggestFor } from './suggestions.ts';

const suggestions: SearchSuggestion[] = [
  { kind: 'poll', path: '/poll/tea', title: '<b>Tea</b> or coffee?' },
  { kind: 'article', path: '/blog/teas', title: 'On teas' },
];
const requested = vi.fn((url: string) =>
  Promise.resolve(Response.json(url.endsWith('q=te') ? suggestions : [suggestions[1]])),
);
const assign = vi.fn();
let input: HTMLInputElement;
let list: HTMLElement;

beforeEach(() => {
  vi.stubGlobal('fetch', requested);
  vi.spyOn(window.location, 'assign').mockImplementation(assign);
  document.body.innerHTML = `<form><input id="box" data-suggestions="/api/search/suggestions">
    <ul id="box-suggestions" data-label="Suggestions" data-kinds='{"poll":"Open poll","article":"Article"}' hidden></ul></form>`;
  input = document.querySelector('input')!;
  list = document.querySelector('ul')!;
  input.focus();
  suggestFor(input);
});
afterEach(() => vi.unstubAllGlobals());

const type = (text: string) => fireEvent.input(input, { target: { value: text } });
const shown = () => [...list.querySelectorAll('li')].map(({ textContent }) => textContent.trim());
const press = (key: string) => fireEvent.keyDown(input, { key });
const active = () => document.getElementById(input.getAttribute('aria-activedescendant') ?? '')?.textContent;

test('titles are suggested during typing, as plain text', async () => {
  type('te');
  await waitFor(() => expect(shown()).toEqual(['<b>Tea</b> or coffee? Open poll', 'On teas Article']));
  expect([input.role, input.getAttribute('aria-expanded'), list.hidden]).toEqual(['combobox', 'true', false]);
  type('teas');
  await waitFor(() => expect(shown()).toEqual(['On teas Article']));
  fireEvent.blur(input);
  expect([list.hidden, input.getAttribute('aria-expanded')]).toEqual([true, 'false']);
});

test('arrow keys walk through suggestions and back to what was typed, and Enter opens one', async () => {
  type('te');
  await waitFor(() => expect(list.hidden).toBe(false));
  expect(press('Enter')).toBe(true);
  press('ArrowUp');
  expect(active()).toContain('On teas');
  press('ArrowDown');
  expect(active()).toBeUndefined();
  press('ArrowDown');
  expect(active()).toContain('Tea');
  expect(list.querySelectorAll('[aria-selected="true"]')).toHaveLength(1);
  expect(press('Enter')).toBe(false);
  expect(assign).toHaveBeenLastCalledWith('/poll/tea');
});

test('Escape closes the list first, and a click opens a suggestion', async () => {
  type('te');
  await waitFor(() => expect(list.hidden).toBe(false));
  fireEvent.click(list.querySelectorAll('li')[1]!.firstElementChild!);
  expect(assign).toHaveBeenLastCalledWith('/blog/teas');
  expect(press('Escape')).toBe(false);
  expect(list.hidden).toBe(true);
  expect(press('Escape')).toBe(true);
});

test('when suggestions can’t be loaded, the box works without them', async () => {
  requested.mockImplementationOnce(() => Promise.reject(new Error('offline')));
  type('coffee');
  await waitFor(() => expect(requested).toHaveBeenLastCalledWith('/api/search/suggestions?q=coffee'));
  expect(list.hidden).toBe(true);
});
