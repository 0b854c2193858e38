import { cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Avatar, initials } from './Avatar.tsx';

// jsdom loads nothing, yet reports every picture as complete.
const complete = vi.spyOn(HTMLImageElement.prototype, 'complete', 'get');
beforeEach(() => complete.mockReturnValue(false));
afterEach(cleanup);

const anna = { firstName: 'Anna', lastName: 'Berg', name: 'Anna Berg', profileImageUrl: null };
const picture = '/api/pictures/anna';

test('[S2.12 S2.104] a member without a picture is shown by initials', () => {
  const { container } = render(<Avatar person={anna} />);
  expect(container.textContent).toBe('AB');
  expect(container.querySelector('img')).toBeNull();
});

test('[S2.12] a picture has no text alternative', () => {
  const { container } = render(<Avatar person={{ ...anna, profileImageUrl: picture }} />);
  const image = container.querySelector('img')!;
  expect([image.getAttribute('src'), image.alt]).toEqual([picture, '']);
  expect(container.textContent).toBe('');
});

test('[S2.12] a picture that fails to load is replaced by initials, and a new address is tried again', () => {
  const { container, rerender } = render(<Avatar person={{ ...anna, profileImageUrl: picture }} />);
  fireEvent.error(container.querySelector('img')!);
  expect(container.textContent).toBe('AB');
  rerender(<Avatar person={{ ...anna, profileImageUrl: `${picture}?2` }} />);
  expect(container.querySelector('img')).not.toBeNull();
});

test('a picture that failed before hydration is replaced by initials too', () => {
  complete.mockReturnValue(true);
  const { container } = render(<Avatar person={{ ...anna, profileImageUrl: picture }} />);
  expect(container.textContent).toBe('AB');
});

test.each([
  ['Anna', 'Berg', 'AB'],
  ['anna', null, 'A'],
  [null, 'Berg', 'B'],
  ['  ', '', 'A'],
  [null, null, 'A'],
  ['Émile', 'Østby', 'ÉØ'],
  ['E\u0301mile', 'ßen', 'E\u0301SS'],
  ['👩‍🔬 Doctor', 'Wu', '👩‍🔬W'],
  ['محمد', 'علي', 'مع'],
])('[S2.12] %j %j is shown as %j', (firstName, lastName, letters) => {
  expect(initials({ firstName, lastName, name: 'anna_1' })).toBe(letters);
});

test('a person without any name has no initials', () => {
  expect(initials({ firstName: null, lastName: null, name: '' })).toBe('');
});
