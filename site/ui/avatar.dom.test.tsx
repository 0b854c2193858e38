import { cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Avatar } from './Avatar.tsx';

// Nothing is loaded in this environment, yet every picture counts as done.
const complete = vi.spyOn(HTMLImageElement.prototype, 'complete', 'get');
beforeEach(() => complete.mockReturnValue(false));
afterEach(cleanup);

const anna = { firstName: 'Anna', lastName: 'Berg', name: 'Anna Berg', profileImageUrl: null };
const picture = 'https://pictures.test/anna.png';

test('a member without a picture is shown by initials', () => {
  const { container } = render(<Avatar person={anna} />);
  expect(container.textContent).toBe('AB');
  expect(container.querySelector('img')).toBeNull();
});

test('a picture says nothing twice and tells its host nothing about the page', () => {
  const { container } = render(<Avatar person={{ ...anna, profileImageUrl: picture }} />);
  const image = container.querySelector('img')!;
  expect([image.src, image.alt, image.referrerPolicy]).toEqual([picture, '', 'no-referrer']);
  expect(container.textContent).toBe('');
});

test('a picture that cannot be loaded gives way to initials, and a new address is tried again', () => {
  const { container, rerender } = render(<Avatar person={{ ...anna, profileImageUrl: picture }} />);
  fireEvent.error(container.querySelector('img')!);
  expect(container.textContent).toBe('AB');
  rerender(<Avatar person={{ ...anna, profileImageUrl: `${picture}?2` }} />);
  expect(container.querySelector('img')).not.toBeNull();
});

test('a picture that failed before anybody listened gives way to initials too', () => {
  complete.mockReturnValue(true);
  const { container } = render(<Avatar person={{ ...anna, profileImageUrl: picture }} />);
  expect(container.textContent).toBe('AB');
});
