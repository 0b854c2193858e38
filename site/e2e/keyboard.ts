import type { Locator, Page } from 'playwright/test';
import { expect } from './fixtures.ts';

/** The element with the focus. */
interface Stop {
  readonly place: string;
  /** Whether it is the wanted control, and whether it is that or within it. */
  readonly reached: boolean;
  readonly inside: boolean;
  /** Why the focus is not visible; empty if it is. */
  readonly faults: readonly string[];
  /** The colors of outline and background, whose contrast need not be measured again. */
  readonly colors: string;
}

/** Runs in the browser. `known` are colors with enough contrast in both themes. */
function inspectFocus(control: Element, known: readonly string[]): Stop {
  // Transitions are finished before measuring.
  const finishTransitions = () => {
    void document.body.getBoundingClientRect();
    for (const change of document.getAnimations()) if (change instanceof CSSTransition) change.finish();
  };
  finishTransitions();
  const focused = document.activeElement ?? document.body;
  const { tagName, className, textContent } = focused;
  const place = `<${tagName.toLowerCase()} class="${className}"> ${textContent.trim().slice(0, 40)}`;
  const reached = focused === control;
  const inside = control.contains(focused);
  if (inside) focused.toggleAttribute('data-reached', true);
  const result = (faults: readonly string[], colors = '') => ({ place, reached, inside, faults, colors });
  if (focused === document.body) return result(['the focus is lost']);

  // The outline may be on a label, the parent of an invisible control, or its only child.
  const hasOutline = (element: Element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
  };
  const inner = focused.firstElementChild;
  let outlined: Element | null = inner !== null && hasOutline(inner) ? inner : focused;
  for (let up = 0; up < 2 && outlined !== null && !hasOutline(outlined); up++) outlined = outlined.parentElement;
  if (outlined === null || !hasOutline(outlined)) return result(['nothing shows the focus']);

  const faults: string[] = [];
  const { left, right, top, bottom } = outlined.getBoundingClientRect();
  const over = document.elementFromPoint(
    (Math.max(left, 0) + Math.min(right, innerWidth)) / 2,
    (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2,
  );
  if (over === null) faults.push('outside of the window');
  else if (!outlined.contains(over) && !over.contains(outlined))
    faults.push(`covered by ${over.outerHTML.slice(0, 60)}`);

  const colorsOf = (element: Element): readonly [string, string] => {
    let background = element.parentElement;
    while (background && /, 0\)$|transparent/.test(getComputedStyle(background).backgroundColor))
      background = background.parentElement;
    return [getComputedStyle(element).outlineColor, getComputedStyle(background ?? document.body).backgroundColor];
  };
  const luminance = (color: string) => {
    const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
      const value = Number(part) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const colors = colorsOf(outlined).join(' on ');
  if (known.includes(colors)) return result(faults, colors);
  const root = document.documentElement;
  const chosen = root.dataset.theme;
  for (const theme of ['light', 'dark']) {
    root.dataset.theme = theme;
    finishTransitions();
    const [outline, background] = colorsOf(outlined).map(luminance) as [number, number];
    const contrast = (Math.max(outline, background) + 0.05) / (Math.min(outline, background) + 0.05);
    if (contrast < 3) faults.push(`an outline of ${contrast.toFixed(1)}:1 in the ${theme} theme`);
  }
  if (chosen === undefined) delete root.dataset.theme;
  else root.dataset.theme = chosen;
  return result(faults, colors);
}

/** Runs in the browser. The visible controls in a region that were not marked as reached. */
function unreachedIn(region: Element): string[] {
  const controls = region.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary');
  const isControl = (element: HTMLElement) => {
    if (element.matches(':disabled, [tabindex="-1"], [type=hidden]') || !element.checkVisibility()) return false;
    const { type, name, checked } = element as HTMLInputElement;
    // Of several radio buttons, Tab reaches one.
    const group = type === 'radio' ? region.querySelector(`[type=radio][name="${name}"]:checked`) : null;
    return group === null || checked;
  };
  return [...controls]
    .filter((element) => isControl(element) && !element.hasAttribute('data-reached'))
    .map((element) => element.outerHTML.slice(0, 120));
}

/** A page used with the keyboard only; every tab stop must have a visible focus. */
export interface Keyboard {
  press(...keys: readonly string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Expects the control to have a visible focus. */
  at(control: Locator): Promise<void>;
  /** Presses Tab or the given key until the control has the focus; every stop must be visible. */
  tabTo(control: Locator, key?: 'Tab' | 'Shift+Tab'): Promise<void>;
  /** Tabs through a region; returns the controls in it that are never reached. Every stop must be visible. */
  unreached(region: Locator): Promise<string[]>;
  /** Tabs to the control and presses a key. */
  use(control: Locator, key?: 'Enter' | 'Space'): Promise<void>;
}

/** More tab stops than any page has between two consecutive targets, and in all. */
const maxStops = 60;
const maxPageStops = 250;
const checkedColors: string[] = [];

/** Controls the page with the keyboard only. */
export function keyboardOf(page: Page): Keyboard {
  const inspect = async (control: Locator): Promise<Stop> => {
    let stop!: Stop;
    // React, or a list that is fetched again, may be replacing the element at this moment.
    await expect(async () => {
      stop = await control.evaluate(inspectFocus, checkedColors);
      expect([stop.place, stop.faults]).toEqual([stop.place, []]);
    }).toPass({ timeout: 7_000 });
    if (!checkedColors.includes(stop.colors)) checkedColors.push(stop.colors);
    return stop;
  };
  const keyboard: Keyboard = {
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key);
    },
    type: (text) => page.keyboard.type(text),
    async at(control) {
      await expect(control).toBeFocused();
      await inspect(control);
    },
    async tabTo(control, key = 'Tab') {
      const visited: string[] = [];
      while (visited.length < maxStops) {
        await page.keyboard.press(key);
        const { place, reached } = await inspect(control);
        if (reached) return;
        visited.push(place);
      }
      throw new Error(`${control.toString()} is not reached:\n${visited.join('\n')}`);
    },
    async unreached(region) {
      await region.focus();
      for (let stop = 0; stop < maxPageStops; stop++) {
        await page.keyboard.press('Tab');
        if (!(await inspect(region)).inside) return region.evaluate(unreachedIn);
      }
      throw new Error(`${region.toString()} keeps the focus for ${maxPageStops} stops`);
    },
    async use(control, key = 'Enter') {
      await keyboard.tabTo(control);
      await page.keyboard.press(key);
    },
  };
  return keyboard;
}
