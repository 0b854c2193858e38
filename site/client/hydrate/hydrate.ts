import type { ClientDirective } from 'astro';
import { hasAccountHint } from '#site/client/account-hint.ts';
import { hydrateEvent } from '#site/client/island.ts';
import { isPlainPress } from '#site/client/plain-press.ts';
import { readStoredToast } from '#site/ui/stored-toast-storage.ts';

export interface HydrateOptions {
  /**
   * `idle`: also when the page is idle, for what can’t be used without React, such as rows to drag. `seen`: also once the
   * island is in view after a scroll, and for likely members when the page is idle. `member`: only for
   * likely members, on load or when the page becomes visible again after signing in elsewhere, and for people who just
   * signed out, to show their toast; other readers load nothing.
   */
  readonly when?: 'idle' | 'seen' | 'member';
  /** The query string the HTML was rendered for: with another one, such as after going back, React loads at once. */
  readonly search?: string;
}

/** Milliseconds after a finger is lifted within which its click can arrive. */
const tapMs = 100;

let isDown = false;
const whenReleased: (() => void)[] = [];
const release = (ms: number) =>
  setTimeout(() => {
    isDown = false;
    for (const resume of whenReleased.splice(0)) resume();
  }, ms);

/** Resolves once no button or key is down and the last click has been delivered: replacing its target would lose it. */
const inputDone = () => new Promise<void>((done) => (isDown ? whenReleased.push(done) : done()));

for (const name of ['pointerdown', 'keydown']) addEventListener(name, () => (isDown = true), true);
for (const name of ['pointercancel', 'keyup', 'click']) addEventListener(name, () => release(0), true);
// On the window only: an element also loses the focus when a button is pressed elsewhere.
addEventListener('blur', () => release(0));
addEventListener('pointerup', ({ pointerType }) => release(pointerType === 'mouse' ? 0 : tapMs), true);

/**
 * `client:hydrate` loads React when someone starts to use an island: with a pointer, the focus, or a key on it, or on its parts
 * marked `data-touch` if it has any. mount.ts replaces the HTML; a button, a link of a marked part, and a form that were used before
 * are used again. If React can’t be loaded, forms are sent and links followed, and the next use tries again.
 */
const hydrate: ClientDirective = (load, { value }, island) => {
  const { when, search } = (value || {}) as HydrateOptions;
  let isLoading = false;
  const isHydrated = () => !island.hasAttribute('ssr');

  const start = async () => {
    if (isLoading || isHydrated()) return;
    isLoading = true;
    try {
      const run = await load();
      await inputDone();
      await run();
    } catch {
      // Perhaps offline.
    }
    isLoading = false;
    if (!isHydrated()) giveUp();
  };
  const giveUp = () => {
    const pressed = island.querySelector('[data-pressed]');
    pressed?.removeAttribute('data-pressed');
    if (pressed instanceof HTMLFormElement) pressed.submit();
    if (pressed instanceof HTMLSelectElement) pressed.form?.submit();
    if (pressed instanceof HTMLAnchorElement) location.assign(pressed.href);
    if (when === 'member') delete document.documentElement.dataset.member;
  };
  // Astro resolves a failed load, and would report it.
  island.addEventListener('astro:hydration-error', (event) => event.preventDefault());
  island.addEventListener(hydrateEvent, () => void start());

  if (when === 'member') {
    const startIfMember = () => {
      if (hasAccountHint() || readStoredToast() !== null) void start();
    };
    startIfMember();
    document.addEventListener('visibilitychange', startIfMember);
    return;
  }

  const startIfOutdated = () => {
    if (search !== undefined && location.search !== search) void start();
  };
  startIfOutdated();
  // After a reload, going back changes the address without loading a page.
  addEventListener('popstate', startIfOutdated);

  if (when === 'idle' || (when === 'seen' && hasAccountHint()))
    (window.requestIdleCallback ?? setTimeout)(() => void start());

  if (when === 'seen') {
    const startIfSeen = () => {
      if (island.firstElementChild!.getBoundingClientRect().top < innerHeight) void start();
    };
    addEventListener('scroll', startIfSeen, { passive: true });
  }

  const isMarked = island.querySelector('[data-touch]') !== null;
  const used = ({ target }: Event) =>
    !isHydrated() && target instanceof Element && (!isMarked || target.closest('[data-touch]') !== null)
      ? target
      : null;
  const press = (control: Element) => {
    island.querySelector('[data-pressed]')?.removeAttribute('data-pressed');
    control.setAttribute('data-pressed', '');
    void start();
  };
  for (const name of ['pointerover', 'touchstart', 'focusin', 'keydown'])
    island.addEventListener(name, (event) => used(event) && void start(), { passive: true });
  island.addEventListener('click', (event) => {
    const control = used(event)?.closest(isMarked ? 'button[type=button], a[href]' : 'button[type=button]');
    if (!control) return;
    if (control instanceof HTMLAnchorElement) {
      if (!isPlainPress(event)) return;
      event.preventDefault();
    }
    press(control);
  });
  island.addEventListener('change', (event) => {
    const control = used(event);
    if (isMarked && control instanceof HTMLSelectElement) press(control);
  });
  island.addEventListener('submit', (event) => {
    const form = used(event);
    if (!form) return;
    event.preventDefault();
    event.submitter?.setAttribute('aria-disabled', 'true');
    press(form);
  });
};

export default hydrate;
