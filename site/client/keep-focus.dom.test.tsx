import { expect, test, vi } from 'vitest';
import { queryClient } from './query-client.ts';

test('when the focused element disappears, the closest part of the page that is left takes the focus', async () => {
  queryClient();
  document.body.innerHTML = '<section><h2>Sessions</h2><ul><li><button>Sign out</button></li></ul></section>';
  const section = document.querySelector('section');
  document.querySelector('button')!.focus();
  document.querySelector('li')!.remove();
  await vi.waitFor(() => expect(document.activeElement).toBe(section), { timeout: 20_000 });
});

test('when a form is refused, its first invalid field takes the focus', async () => {
  queryClient();
  document.body.innerHTML = '<form><input name="name"><input name="text"><button>Save</button></form>';
  const form = document.querySelector('form')!;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    for (const field of form.querySelectorAll('input')) field.setAttribute('aria-invalid', 'true');
  });
  const button = form.querySelector('button')!;
  for (let attempts = 0; attempts < 2; attempts += 1) {
    button.focus();
    button.click();
    await vi.waitFor(() => expect(document.activeElement).toBe(form.elements.namedItem('name')), { timeout: 20_000 });
  }
});

test('when a form is refused, the folded parts with invalid fields open', async () => {
  queryClient();
  document.body.innerHTML = `<form><input>
    <details><summary>More</summary><input aria-invalid="true" name="end"></details>
    <details><summary>Others</summary><input></details><button>Save</button></form>`;
  const form = document.querySelector('form')!;
  form.addEventListener('submit', (event) => event.preventDefault());
  form.querySelector('button')!.click();
  await vi.waitFor(() => expect(document.activeElement).toBe(form.elements.namedItem('end')), { timeout: 20_000 });
  expect([...form.querySelectorAll('details')].map(({ open }) => open)).toEqual([true, false]);
});

test('a form that is being sent keeps its place', async () => {
  queryClient();
  vi.useFakeTimers();
  for (const busy of [true, false]) {
    document.body.innerHTML = `<section><form aria-busy="${busy}"><button>Save</button></form></section>`;
    const button = document.querySelector('button')!;
    button.focus();
    button.disabled = true;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(document.activeElement === document.querySelector('section')).toBe(!busy);
  }
  vi.useRealTimers();
});

test('after a form was sent, what had the focus has it again', async () => {
  queryClient();
  document.body.innerHTML = '<form><button>Save</button></form>';
  const form = document.querySelector('form')!;
  const button = document.querySelector('button')!;
  const sending = async (pending: boolean) => {
    form.setAttribute('aria-busy', String(pending));
    // As browsers do with what is being disabled.
    if (pending) button.blur();
    button.disabled = pending;
    await new Promise((painted) => requestAnimationFrame(painted));
  };
  button.focus();
  await sending(true);
  expect(document.activeElement).toBe(document.body);
  await sending(false);
  expect(document.activeElement).toBe(button);
});

test('whoever leaves a field by pressing beside it is not sent back', async () => {
  queryClient();
  document.body.innerHTML = '<input>';
  const input = document.querySelector('input')!;
  input.focus();
  input.blur();
  await Promise.resolve();
  for (const disabled of [true, false]) {
    input.disabled = disabled;
    await new Promise((painted) => requestAnimationFrame(painted));
  }
  expect(document.activeElement).toBe(document.body);
});

test('when a dialog closes and its button is gone, the closest heading has the focus', async () => {
  queryClient();
  document.body.innerHTML =
    '<section><h2 tabindex="-1">Imports</h2><dialog open><button>Undo</button></dialog></section>';
  const dialog = document.querySelector('dialog')!;
  const button = document.querySelector('button')!;
  button.focus();
  dialog.removeAttribute('open');
  button.blur();
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Imports'), { timeout: 20_000 });
});
