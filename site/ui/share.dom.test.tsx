import { afterEach, expect, test, vi } from 'vitest';
import { shareTexts } from '#texts/sharing.ts';
import { shareLink, shareMessage } from './ShareButton.tsx';
import { linkCopiedEvent } from './visit-event.ts';

const link = { title: 'Why?', url: 'https://polls.example/poll/a' };
const dispatched: unknown[] = [];
const counted: string[] = [];
const listen = (event: Event) => dispatched.push((event as CustomEvent<string>).detail);

function browser(has: { share?: () => Promise<void>; writeText?: (text: string) => Promise<void> }): void {
  dispatched.length = 0;
  counted.length = 0;
  addEventListener(linkCopiedEvent, listen);
  vi.stubGlobal('navigator', {
    ...(has.share && { share: has.share }),
    ...(has.writeText && { clipboard: { writeText: has.writeText } }),
    sendBeacon: (address: string) => counted.push(address),
  });
}
afterEach(() => {
  removeEventListener(linkCopiedEvent, listen);
  vi.unstubAllGlobals();
});

const refusal = (name: string) => () => Promise.reject(Object.assign(new Error('no'), { name }));

test('a link goes to the share sheet if there is one, without a notification', async () => {
  const share = vi.fn(() => Promise.resolve());
  browser({ share });
  expect(shareMessage(await shareLink(link))).toBeNull();
  expect(share).toHaveBeenCalledWith(link);
  expect(dispatched).toEqual([link.url]);
  expect(counted).toEqual(['/api/polls/a/shares?target=system']);
});

test('closing the share sheet shares nothing', async () => {
  const writeText = vi.fn(() => Promise.resolve());
  browser({ share: refusal('AbortError'), writeText });
  expect(shareMessage(await shareLink(link))).toBeNull();
  expect(writeText).not.toHaveBeenCalled();
  expect([dispatched, counted]).toEqual([[], []]);
});

test('without a share sheet, or if it is blocked, the link is copied', async () => {
  for (const share of [undefined, refusal('NotAllowedError')]) {
    const writeText = vi.fn(() => Promise.resolve());
    browser({ writeText, ...(share && { share }) });
    expect(shareMessage(await shareLink(link))).toBe(shareTexts.linkCopied);
    expect(writeText).toHaveBeenCalledWith(link.url);
    expect(dispatched).toEqual([link.url]);
    expect(counted).toEqual(['/api/polls/a/shares?target=copy']);
  }
});

test('only shares of the operator’s polls are counted', async () => {
  browser({ writeText: () => Promise.resolve() });
  for (const path of ['community-polls/a', 'blog/poll', 'poll/a/vote', ''])
    await shareLink({ ...link, url: `https://polls.example/${path}` });
  expect([dispatched.length, counted]).toEqual([4, []]);
});

test('a link that can be neither shared nor copied is reported as a failure', async () => {
  browser({});
  expect(shareMessage(await shareLink(link))).toMatchObject({ ...shareTexts.linkFailed, destructive: true });
  expect(dispatched).toEqual([]);
});
