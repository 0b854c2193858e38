import type { Locator, Page } from 'playwright/test';
import { expect } from './fixtures.ts';

/** The element with the focus. */
interface Stop {
  readonly place: string;
  /** Whether it is the wanted control. */
  readonly reached: boolean;
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
  const result = (faults: readonly string[], colors = '') => ({ place, reached, faults, colors });
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

/** The places in `root` that Tab stops at, in the order of the page, and which of them has the focus. */
interface Place {
  readonly stops: readonly string[];
  /** −1: none of them. */
  readonly at: number;
  /** The focus is in `root` or, behind the last stop of a dialog, nowhere. */
  readonly inside: boolean;
  /** Stops that are higher on the screen than the one before, in another part of the page. */
  readonly upward: readonly string[];
}

/** Runs in the browser. */
function findPlace(root: Element): Place {
  const { activeElement: focused, body } = document;
  const radios = (one: HTMLInputElement) =>
    [...root.querySelectorAll<HTMLInputElement>('input[type=radio]')].filter(
      ({ name, form }) => name === one.name && form === one.form,
    );
  const isStop = (element: HTMLElement) => {
    if (element.tabIndex < 0 || element.matches(':disabled') || !element.checkVisibility()) return false;
    if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return true;
    const group = radios(element);
    return element === (group.find(({ checked }) => checked) ?? group[0]);
  };
  const stops = [
    ...root.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex]'),
  ].filter(isStop);
  const nameOf = (element: HTMLElement) =>
    `<${element.tagName.toLowerCase()}> ${element.ariaLabel ?? element.textContent.trim().slice(0, 40)}`;
  return {
    stops: stops.map(nameOf),
    at: stops.findIndex((stop) => stop === focused),
    inside: root.contains(focused) || focused === body,
    upward: stops
      .filter((stop, place) => {
        const before = stops[place - 1];
        if (before === undefined || (stop.closest('li') ?? root) === before.closest('li')) return false;
        return stop.getBoundingClientRect().bottom <= before.getBoundingClientRect().top;
      })
      .map(nameOf),
  };
}

/** A page used with the keyboard only; every tab stop must have a visible focus. */
export interface Keyboard {
  press(...keys: readonly string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Expects the control to have a visible focus. */
  at(control: Locator): Promise<void>;
  /** Presses Tab or the given key until the control has the focus; every stop must be visible. */
  tabTo(control: Locator, key?: 'Tab' | 'Shift+Tab'): Promise<void>;
  /** Tabs to the control and presses a key. */
  use(control: Locator, key?: 'Enter' | 'Space'): Promise<void>;
  /**
   * Tabs from the beginning of `root`, which has the focus, through every stop in it and out of it. Buttons whose name
   * matches `dialogs` are pressed: their dialog keeps the focus, and Escape returns it.
   */
  walk(root: Locator, dialogs?: RegExp): Promise<void>;
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
    async use(control, key = 'Enter') {
      await keyboard.tabTo(control);
      await page.keyboard.press(key);
    },
    async walk(root, dialogs) {
      let last = -1;
      for (let tabs = 0; tabs < maxPageStops; tabs++) {
        await page.keyboard.press('Tab');
        const [{ stops, at, inside, upward }] = await Promise.all([root.evaluate(findPlace), inspect(root)]);
        expect(upward, 'stops above the one before').toEqual([]);
        if (!inside) {
          expect(stops.slice(last + 1), 'stops that Tab does not reach').toEqual([]);
          return;
        }
        // A date has several parts.
        if (at === last) continue;
        expect(stops[at], 'the next stop in the order of the page').toBe(stops[last + 1]);
        last = at;
        if (dialogs?.test(stops[at] ?? '') === true) await tryDialog(root);
      }
      throw new Error(`${root.toString()} keeps the focus for ${maxPageStops} stops`);
    },
  };
  const tryDialog = async (root: Locator) => {
    const before = await root.evaluate(findPlace);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    const { stops, at } = await dialog.evaluate(findPlace);
    expect(at, 'the stop of the dialog that has the focus at first').toBeGreaterThanOrEqual(0);
    const reached = new Set([at]);
    for (let round = 0; round <= stops.length; round++) {
      await page.keyboard.press('Tab');
      const place = await dialog.evaluate(findPlace);
      expect(place.inside, 'the focus stays in the dialog').toBe(true);
      if (place.at >= 0) await inspect(dialog);
      reached.add(place.at);
    }
    expect(
      stops.filter((_, place) => !reached.has(place)),
      'stops that Tab does not reach',
    ).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    expect((await root.evaluate(findPlace)).at).toBe(before.at);
  };
  return keyboard;
}
