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
  const isText = (node: Node) => node.nodeType === Node.TEXT_NODE && node.nodeValue!.trim() !== '';
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
  const boxOf = onceFor((box) => {
    const { overflowX, overflowY, textOverflow } = getComputedStyle(box);
    const overflows = [overflowX, overflowY];
    if (overflows.some((overflow) => overflow === 'auto' || overflow === 'scroll')) return 'scrolls';
    if (!overflows.some((overflow) => overflow === 'hidden' || overflow === 'clip')) return 'open';
    return textOverflow === 'ellipsis' ? 'shortens' : 'cuts';
  });
  // Drawn over the rest of the page: the top bar, dialogs, notifications.
  const layerOf: (element: Element) => Element | null = onceFor((element) =>
    element.matches('dialog, [popover]') || /fixed|sticky/.test(getComputedStyle(element).position)
      ? element
      : element.parentElement && layerOf(element.parentElement),
  );
  const root = document.documentElement;
  const windowBox = { left: 0, right: root.clientWidth, top: -Infinity, bottom: Infinity };
  if (root.scrollWidth > root.clientWidth) {
    const right = (element: Element) => Math.round(element.getBoundingClientRect().right);
    const shown = [...document.querySelectorAll('body *')].filter((element) => element.checkVisibility());
    const end = Math.max(...shown.map(right));
    const widest = shown.filter((element) => right(element) === end);
    found.push(`${root.scrollWidth} px wide: ${widest.slice(-1).map(place).join()}`);
  }
  // An element may have hidden parts, which its own texts don’t.
  const texts = [...document.querySelectorAll('body *')]
    .filter(
      (element) =>
        [...element.childNodes].some(isText) &&
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        !isUnseen(element) &&
        !isShortened(element) &&
        !element.closest('.skip-link, select'),
    )
    .flatMap((element) =>
      [...element.childNodes].filter(isText).map((text) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        return { element, range };
      }),
    );
  for (const { element, range } of texts) {
    const text = range.getBoundingClientRect();
    if (text.width === 0) continue;
    for (let box = element; ; box = box.parentElement!) {
      const isWindow = box === document.body;
      const kind = isWindow ? 'cuts' : boxOf(box);
      // Boxes around this one have no more of the text.
      if (kind === 'shortens' || kind === 'scrolls') break;
      if (kind === 'open') continue;
      const { left, right, top, bottom } = isWindow ? windowBox : box.getBoundingClientRect();
      if (text.left < left - 1 || text.right > right + 1 || text.top < top - 2 || text.bottom > bottom + 2)
        found.push(`cut by ${isWindow ? 'the window' : place(box).slice(0, 60)}: ${place(element)}`);
      else if (!isWindow) continue;
      break;
    }
  }
  for (const { element, range } of texts.filter((text) => text.element.closest('h1, h2, h3')))
    // As long as the name of the site; words of a question may be of any length.
    for (const { 0: word, index } of range.toString().matchAll(/[^\s-]+/g)) {
      if (word.length > 'Weathervane'.length) continue;
      const letters = document.createRange();
      letters.setStart(range.startContainer, index);
      letters.setEnd(range.startContainer, index + word.length);
      if (letters.getClientRects().length > 1) found.push(`broken: ${word} in ${place(element)}`);
    }
  // Overlapping texts.
  const words = texts
    .flatMap(({ element, range }) =>
      [...range.getClientRects()].filter(({ width }) => width > 4).map((rect) => ({ element, rect })),
    )
    .sort((a, b) => a.rect.top - b.rect.top);
  for (const [at, one] of words.entries())
    for (let next = at + 1; next < words.length; next++) {
      const other = words[next]!;
      // This one and all after it are further down.
      if (other.rect.top >= one.rect.bottom) break;
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      if (layerOf(one.element) !== layerOf(other.element)) continue;
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

/** Texts of the page that are cut off, overlap, or make it scroll sideways, and headings with broken words. */
export const textFaultsOf = (page: Page): Promise<string[]> => page.evaluate(findTextFaults);

/** Doubles the browser’s default font size, which scales all lengths in rem. */
export async function enlargeText(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
}
