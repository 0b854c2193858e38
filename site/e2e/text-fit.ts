import type { Page } from 'playwright/test';

/** Runs in the browser: texts that do not fit, one line each. */
function findTextFaults(): string[] {
  const found: string[] = [];
  const place = (element: Element) =>
    `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}"> ${element.textContent.trim().slice(0, 50)}`;
  // Styles are slow to read, and elements share their ancestors.
  const onceFor = <T>(read: (element: Element) => T) => {
    const known = new Map<Element, T>();
    return (element: Element): T => {
      if (!known.has(element)) known.set(element, read(element));
      return known.get(element)!;
    };
  };
  const isIn = (parent: Element | null, matches: (element: Element) => boolean) => parent !== null && matches(parent);
  // One pixel wide: for screen readers only.
  const isUnseen: (element: Element) => boolean = onceFor(
    (element) =>
      (getComputedStyle(element).position === 'absolute' && element.clientWidth <= 1) ||
      isIn(element.parentElement, isUnseen),
  );
  // Cut intentionally, with an ellipsis.
  const isShortened: (element: Element) => boolean = onceFor(
    (element) => getComputedStyle(element).webkitLineClamp !== 'none' || isIn(element.parentElement, isShortened),
  );
  const clippingOf = onceFor((box) => {
    const { overflowX, overflowY, textOverflow } = getComputedStyle(box);
    if (![overflowX, overflowY].some((overflow) => overflow === 'hidden' || overflow === 'clip')) return 'none';
    return textOverflow === 'ellipsis' ? 'intended' : 'cut';
  });
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    const right = (element: Element) => Math.round(element.getBoundingClientRect().right);
    const shown = [...document.querySelectorAll('body *')].filter((element) => element.checkVisibility());
    const end = Math.max(...shown.map(right));
    const widest = shown.filter((element) => right(element) === end);
    found.push(`${root.scrollWidth} px wide: ${widest.slice(-1).map(place).join()}`);
  }
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const own = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue!.trim() !== '',
    );
    if (!own || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (isUnseen(element) || isShortened(element) || element.closest('.skip-link, select, [aria-hidden=true]'))
      continue;
    const range = document.createRange();
    range.selectNodeContents(element);
    const text = range.getBoundingClientRect();
    if (text.width === 0) continue;
    for (let box: HTMLElement | null = element; box !== null && box !== document.body; box = box.parentElement) {
      const clipping = clippingOf(box);
      if (clipping === 'none') continue;
      // Boxes around this one have no more of the text.
      if (clipping === 'intended') break;
      const { left, right, top, bottom } = box.getBoundingClientRect();
      if (text.left < left - 1 || text.right > right + 1 || text.top < top - 2 || text.bottom > bottom + 2) {
        found.push(`cut by ${place(box).slice(0, 60)}: ${place(element)}`);
        break;
      }
    }
  }
  // Overlapping texts.
  const words = [
    ...document.querySelectorAll<HTMLElement>(
      'main :is(p, h1, h2, h3, li, dt, dd, label, a, button, td, th), header :is(a, button)',
    ),
  ]
    .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue!.trim() !== ''),
    )
    .filter(
      (element) => !isUnseen(element) && !isShortened(element) && !element.closest('[aria-hidden=true], [popover]'),
    )
    .flatMap((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return [...range.getClientRects()].filter(({ width }) => width > 4).map((rect) => ({ element, rect }));
    })
    .sort((a, b) => a.rect.top - b.rect.top);
  for (const [at, one] of words.entries())
    for (let next = at + 1; next < words.length; next++) {
      const other = words[next]!;
      // This one and all after it are further down.
      if (other.rect.top >= one.rect.bottom) break;
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      const across = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
      const down = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
      if (
        across > 3 &&
        down > Math.min(one.rect.height, other.rect.height) * 0.4 &&
        !found.some((text) => text.startsWith('overlapping'))
      )
        found.push(`overlapping: ${place(one.element)} and ${place(other.element)}`);
    }
  return found;
}

/** Texts of the page that are cut off, overlap, or make it scroll sideways. */
export const textFaultsOf = (page: Page): Promise<string[]> => page.evaluate(findTextFaults);

/** Doubles the browser’s default font size, which scales all lengths in rem. */
export async function enlargeText(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
}
