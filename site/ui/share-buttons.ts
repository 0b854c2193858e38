import { copyMessage, copyText, shareLink, shareMessage } from './share.ts';
import type { ToastMessage } from './toasts.ts';

/**
 * Wakes the share and copy buttons of pages without islands: `data-share` holds an address, `data-copy` the id of the
 * element whose text is copied. The notification is loaded with the first press.
 */
document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-share],[data-copy]') : null;
  if (button !== null) void press(button.dataset).then(tell);
});

async function press({ share, shareTitle = '', copy }: DOMStringMap): Promise<ToastMessage | null> {
  if (share !== undefined) return shareMessage(await shareLink({ title: shareTitle, url: share }));
  const source = document.getElementById(copy ?? '');
  const text = source instanceof HTMLTextAreaElement ? source.value : (source?.textContent ?? '');
  return copyMessage(await copyText(text.trim()));
}

async function tell(message: ToastMessage | null): Promise<void> {
  if (message === null) return;
  const { toast } = await import('./toasts.ts');
  toast(message);
}
