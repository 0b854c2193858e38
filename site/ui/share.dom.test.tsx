import { afterEach, expect, test, vi } from 'vitest';
import { shareTexts } from '#texts/sharing.ts';
import { linkCopiedEvent } from './link-copied.ts';
import { shareLink, shareMessage } from './share.ts';

const link = { title: 'Why?', url: 'https://polls.example/poll/a' };
const told: unknown[] = [];
const listen = (event: Event) => told.push((event as CustomEvent<string>).detail);

function browser(has: { share?: () => Promise<void>; writeText?: (text: string) => Promise<void> }): void {
  told.length = 0;
  addEventListener(linkCopiedEvent, listen);
  vi.stubGlobal('navigator', {
    ...(has.share && { share: has.share }),
    ...(has.writeText && { clipboard: { writeText: has.writeText } }),
  });
}
afterEach(() => {
  removeEventListener(linkCopiedEvent, listen);
  vi.unstubAllGlobals();
});

const refusal = (name: string) => () => Promise.reject(Object.assign(new Error('no'), { name }));

test('a link goes to the share sheet where there is one, and nothing more is said', async () => {
  const share = vi.fn(() => Promise.resolve());
  browser({ share });
  expect(shareMessage(await shareLink(link))).toBeNull();
  expect(share).toHaveBeenCalledWith(link);
  expect(told).toEqual([link.url]);
});

test('whoever closes the share sheet has shared nothing', async () => {
  const writeText = vi.fn(() => Promise.resolve());
  browser({ share: refusal('AbortError'), writeText });
  expect(shareMessage(await shareLink(link))).toBeNull();
  expect(writeText).not.toHaveBeenCalled();
  expect(told).toEqual([]);
});

test('without a share sheet, or where it is not allowed, the link is copied', async () => {
  for (const share of [undefined, refusal('NotAllowedError')]) {
    const writeText = vi.fn(() => Promise.resolve());
    browser({ writeText, ...(share && { share }) });
    expect(shareMessage(await shareLink(link))).toBe(shareTexts.linkCopied);
    expect(writeText).toHaveBeenCalledWith(link.url);
    expect(told).toEqual([link.url]);
  }
});

test('a link that can go nowhere is said to have failed', async () => {
  browser({});
  expect(shareMessage(await shareLink(link))).toMatchObject({ ...shareTexts.linkFailed, destructive: true });
  expect(told).toEqual([]);
});
