/** Pre-rendered ballots that React replaces once a visitor is about to use them. */
export interface TakeOver {
  /** React has taken over: the plain script must leave the ballots alone. */
  readonly mounted: boolean;
  /** Loads React immediately, for what pre-rendered HTML can’t show. */
  readonly start: () => void;
}

/** Milliseconds after a finger is lifted within which its click can arrive. */
const tapMs = 100;

let pressed = false;
const whenReleased: (() => void)[] = [];
const release = (ms: number) =>
  setTimeout(() => {
    pressed = false;
    for (const resume of whenReleased.splice(0)) resume();
  }, ms);

/** Resolves once no button or key is down and the last click has been delivered: replacing its target would lose it. */
const inputDone = () => new Promise<void>((done) => (pressed ? whenReleased.push(done) : done()));

for (const name of ['pointerdown', 'keydown']) addEventListener(name, () => (pressed = true), true);
for (const name of ['pointercancel', 'keyup', 'click']) addEventListener(name, () => release(0), true);
// On the window only: an element also loses the focus when a button is pressed elsewhere.
addEventListener('blur', () => release(0));
addEventListener('pointerup', ({ pointerType }) => release(pointerType === 'mouse' ? 0 : tapMs), true);

/** Identifies a control in both the pre-rendered and React’s HTML: by its ballot and value, or by its position. */
function keyOf(root: HTMLElement, control: Element): string {
  const ballot = control.closest<HTMLElement>('[data-ballot]');
  if (ballot)
    return `${ballot.dataset.ballot} ${control instanceof HTMLInputElement ? control.value : control.localName}`;
  return `${controlsOf(root)
    .filter((other) => other.closest('[data-ballot]') === null)
    .indexOf(control as HTMLElement)}`;
}

const controlsOf = (root: HTMLElement) => [
  ...root.querySelectorAll<HTMLElement>('a, button, input, summary, textarea, [tabindex]'),
];

/**
 * On the first touch, focus, or key on `root`, calls what `load` resolves to, which replaces its HTML. Choices, focus, and
 * open details are kept; a submitted vote and a pressed button are repeated. If React can’t be loaded, a vote is sent as a form.
 */
export function takeOverOnIntent(root: HTMLElement, load: () => Promise<(root: HTMLElement) => void>): TakeOver {
  let state: 'waiting' | 'loading' | 'mounted' = 'waiting';
  let submitted: HTMLFormElement | null = null;
  let clicked: string | null = null;
  const find = (key: string | null) => controlsOf(root).find((control) => keyOf(root, control) === key);

  const replace = async (mount: (root: HTMLElement) => void) => {
    await inputDone();
    const { activeElement } = document;
    const focused = activeElement !== null && root.contains(activeElement) ? keyOf(root, activeElement) : null;
    const chosen = [...root.querySelectorAll('input:checked')].map((input) => keyOf(root, input));
    const details = [...root.querySelectorAll('details')].map(({ open }) => open);
    mount(root);
    state = 'mounted';
    for (const key of chosen) find(key)?.click();
    if (focused !== null) (find(focused) ?? document.getElementById('main'))?.focus({ preventScroll: true });
    for (const [place, one] of root.querySelectorAll('details').entries()) one.open = details[place] ?? false;
    // React has rendered the choice after the current task.
    setTimeout(() => {
      find(clicked)?.click();
      if (submitted)
        root.querySelector<HTMLFormElement>(`form[data-ballot='${submitted.dataset.ballot}']`)?.requestSubmit();
    });
  };
  const start = () => {
    if (state !== 'waiting') return;
    state = 'loading';
    load().then(replace, () => {
      state = 'waiting';
      submitted?.submit();
      submitted = null;
    });
  };

  for (const name of ['pointerover', 'touchstart', 'focusin', 'keydown'])
    root.addEventListener(name, start, { passive: true });
  root.addEventListener('submit', (event) => {
    if (state === 'mounted') return;
    event.preventDefault();
    submitted = event.target as HTMLFormElement;
    event.submitter?.setAttribute('aria-disabled', 'true');
    start();
  });
  root.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button[type=button]') : null;
    if (state === 'mounted' || button === null) return;
    clicked = keyOf(root, button);
    start();
  });

  // The browser may restore a choice.
  const requireChoice = () => {
    if (state === 'mounted') return;
    for (const form of root.querySelectorAll('form')) {
      const button = form.querySelector<HTMLButtonElement>('button[type=submit]');
      if (!button) continue;
      button.disabled = form.querySelector('input:checked') === null;
      button.removeAttribute('aria-disabled');
    }
  };
  requireChoice();
  root.addEventListener('change', requireChoice);
  addEventListener('pageshow', requireChoice);
  return {
    get mounted() {
      return state === 'mounted';
    },
    start,
  };
}
