import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useState } from 'react';
import { queryClient } from './query-client.ts';

beforeEach(() => void queryClient());
afterEach(cleanup);

/** What translations by browsers do with the texts of a page. */
const browsers = {
  'replaces texts': (text: Text, shown: Element) => text.replaceWith(shown),
  'inserts elements and removes texts': (text: Text, shown: Element) => {
    text.before(shown);
    text.remove();
  },
  'wraps texts': (text: Text, shown: Element) => {
    text.before(shown);
    shown.firstElementChild!.replaceChildren(text);
  },
};

/** Deprecated, and what browsers use. */
const font = () => document.createElement('FONT'.toLowerCase());

/** Translates the page: into capitals, where it replaces texts. */
async function translate(how: (text: Text, shown: Element) => void): Promise<void> {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    const [outer, inner] = [font(), font()];
    inner.textContent = text.data.toUpperCase();
    outer.append(inner);
    how(text, outer);
  }
  // Observers hear of it afterward.
  await act(() => Promise.resolve());
}

function Form() {
  const [sent, setSent] = useState(0);
  return (
    <section>
      <label>
        {sent > 0 && <i>!</i>}
        Name
        {sent === 1 && ' is missing'}
      </label>
      <p>
        Sent {sent} times{sent === 2 && <b>: enough</b>}
      </p>
      {sent === 0 && 'Please write.'}
      {sent > 1 ? 'Thanks' : null}
      <button type="button" onClick={() => setSent(sent + 1)}>
        Send
      </button>
    </section>
  );
}

describe.each(Object.entries(browsers))('when a browser that %s translates a page,', (_, how) => {
  const shown = () => document.querySelector('section')!.textContent.toLowerCase();

  test('it changes as if it were not translated, with every number and message', async () => {
    render(<Form />);
    const send = () => fireEvent.click(screen.getByRole('button'));
    await translate(how);
    expect(shown()).toBe('namesent 0 timesplease write.send');
    send();
    await act(() => Promise.resolve());
    expect(shown()).toBe('!name is missingsent 1 timessend');
    await translate(how);
    send();
    await act(() => Promise.resolve());
    expect(shown()).toBe('!namesent 2 times: enoughthankssend');
    await translate(how);
    send();
    await act(() => Promise.resolve());
    expect(shown()).toBe('!namesent 3 timesthankssend');
  });

  test('texts that move are shown once', async () => {
    const List = ({ order }: { readonly order: readonly string[] }) => (
      <section>
        {order.map((word) => (
          <Word key={word} word={word} />
        ))}
      </section>
    );
    const Word = ({ word }: { readonly word: string }) => word;
    const { rerender } = render(<List order={['one ', 'two ', 'three ']} />);
    await translate(how);
    rerender(<List order={['three ', 'one ', 'two ']} />);
    await act(() => Promise.resolve());
    expect(shown()).toBe('three one two ');
  });
});

test('a page that the browser shows untranslated again has its texts', async () => {
  render(<Form />);
  const replaced: [Text, Element][] = [];
  await translate((text, shown) => {
    text.replaceWith(shown);
    replaced.push([text, shown]);
  });
  for (const [text, shown] of replaced) shown.replaceWith(text);
  await act(() => Promise.resolve());
  fireEvent.click(screen.getByRole('button'));
  expect(document.querySelector('section')!.textContent).toBe('!Name is missingSent 1 timesSend');
});
