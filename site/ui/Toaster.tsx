import * as RadixToast from '@radix-ui/react-toast';
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import * as limits from '#contract/limits.ts';
import { toastTexts } from '#texts/shell.ts';
import { currentToast, dismissToast } from './toast-store.ts';
import { overlap, placeClearOf } from './toast-place.ts';
import styles from './Toaster.module.css';

const readToast = () => currentToast.get();
const watchToast = (onChange: () => void) => currentToast.listen(onChange);

/** Radix announces from a region that it inserts for a second, which is too short for a busy browser: toasts.ts announces. */
const notAnnounced = new DocumentFragment();

/** Shows the current notification: focused with F8, dismissed by swiping right. */
export function Toaster() {
  const toast = useSyncExternalStore(watchToast, readToast, readToast);
  const [shown, setShown] = useState<HTMLLIElement | null>(null);
  const [shownId, clearOf] = [toast?.id, toast?.open ? toast.clearOf : undefined];
  const dismissedId = toast !== null && !toast.open ? toast.id : undefined;

  useEffect(() => {
    if (dismissedId === undefined) return;
    const removal = setTimeout(() => {
      if (currentToast.get()?.id === dismissedId) currentToast.set(null);
    }, limits.toastRemoveMs);
    return () => clearTimeout(removal);
  }, [dismissedId]);

  useLayoutEffect(() => {
    if (shownId === undefined || !shown) return undefined;
    const viewport = shown.parentElement;
    // The next notification has replaced this one.
    if (viewport === null) return undefined;
    return placeOff(shownId, shown, viewport, clearOf ?? []);
  }, [shownId, shown, clearOf]);

  return (
    <RadixToast.Provider
      duration={limits.toastDisplayMs}
      swipeDirection="right"
      swipeThreshold={limits.toastSwipePx}
      label={toastTexts.region}
      announcerContainer={notAnnounced}
    >
      {toast !== null && (
        <RadixToast.Root
          key={toast.id}
          ref={setShown}
          className={`${styles.toast}${toast.destructive ? ` ${styles.destructive}` : ''}`}
          open={toast.open}
          onOpenChange={(open) => {
            if (!open) dismissToast(toast.id);
          }}
        >
          {toast.icon !== undefined && <div className={styles.icon}>{toast.icon}</div>}
          <div className={styles.words}>
            <RadixToast.Title className={styles.title}>{toast.title}</RadixToast.Title>
            {toast.text !== undefined && (
              <RadixToast.Description className={styles.text}>{toast.text}</RadixToast.Description>
            )}
          </div>
          <RadixToast.Close className={styles.close} aria-label={toastTexts.close}>
            <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
              <path d="m5 5 10 10M15 5 5 15" fill="none" stroke="currentColor" strokeWidth="1.75" />
            </svg>
          </RadixToast.Close>
        </RadixToast.Root>
      )}
      <RadixToast.Viewport className={styles.viewport} hotkey={['F8']} label={`${toastTexts.region} ({hotkey})`} />
    </RadixToast.Provider>
  );
}

/** What people use, and what is still loading. */
const controls = 'main :is(a, button, input, select, textarea, label, .skeleton)';

/** The controls of the page on a phone, where a notification as wide as the screen covers some of them in most places. */
const controlsOnPhone = () => (matchMedia('(width < 40rem)').matches ? [...document.querySelectorAll(controls)] : []);

/** What is at the top of every page. */
const topBar = () => document.querySelector('body > header');

const boxesOf = (elements: readonly Element[]) => elements.map((one) => one.getBoundingClientRect());

/**
 * Puts a notification where it covers nothing of these elements, and closes it when the visitor scrolls one of them under it;
 * returns a function that ends it.
 */
function placeOff(id: number, shown: HTMLElement, viewport: HTMLElement, kept: readonly Element[]): () => void {
  const place = () => {
    delete viewport.dataset.place;
    const controls = controlsOnPhone();
    if (kept.length + controls.length === 0) return;
    const page = { width: innerWidth, height: innerHeight, top: topBar()?.getBoundingClientRect().bottom ?? 0 };
    // With its margins, and without the movement with which the notification arrives.
    viewport.dataset.place = placeClearOf(viewport.getBoundingClientRect(), page, boxesOf(kept), boxesOf(controls));
  };
  place();
  // What it is about may be drawn only now.
  let frame = requestAnimationFrame(() => (frame = requestAnimationFrame(place)));

  const watching = new AbortController();
  const watch = (name: string, handle: () => void) =>
    addEventListener(name, handle, { passive: true, signal: watching.signal });
  // The focus that a vote moves can scroll the page, too, before anyone has read the notification.
  let isVisitor = false;
  for (const name of ['wheel', 'touchmove', 'pointerdown', 'keydown']) watch(name, () => (isVisitor = true));
  watch('scroll', () => {
    const box = shown.getBoundingClientRect();
    if (!isVisitor) place();
    else if (boxesOf(kept).some((one) => overlap(box, one) > 0)) dismissToast(id);
  });
  return () => {
    cancelAnimationFrame(frame);
    watching.abort();
    delete viewport.dataset.place;
  };
}
