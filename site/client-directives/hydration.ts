/** The hydration of an island by a directive. */
export interface Hydration {
  /** React listens: what is pressed arrives. */
  readonly isDone: () => boolean;
  /** Begins it, once; after a failure, perhaps offline, the next call tries again. */
  readonly start: () => Promise<void>;
}

/** The hydration that an island’s directive starts. */
export function hydration(load: () => Promise<() => Promise<void>>): Hydration {
  let started: Promise<void> | undefined;
  let done = false;
  const run = async () => {
    try {
      await (
        await load()
      )();
      done = true;
    } catch (error) {
      started = undefined;
      throw error;
    }
  };
  return { isDone: () => done, start: () => (started ??= run()) };
}

/** Makes React hydrate what an element is in now; otherwise it takes its time. */
export const hydrateNow = (element: Element) => element.dispatchEvent(new Event('input', { bubbles: true }));

/** Repeats, after hydration, the last press of a button that came before it. */
export function repeatPress(
  island: HTMLElement,
  { isDone, start }: Hydration,
  isRepeated: (event: Event) => boolean = () => true,
): void {
  let pressed: HTMLButtonElement | null = null;
  island.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (isDone() || button === null || !isRepeated(event)) return;
    const isWaiting = pressed !== null;
    pressed = button;
    if (isWaiting) return;
    const again = () => {
      const place = [...island.querySelectorAll('button')].indexOf(pressed!);
      hydrateNow(pressed!);
      // A translated page is rendered anew.
      (pressed!.isConnected ? pressed : island.querySelectorAll('button')[place])?.click();
    };
    void start()
      .then(again, () => undefined)
      .then(() => (pressed = null));
  });
}
