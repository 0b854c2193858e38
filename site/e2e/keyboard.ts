import type { Locator, Page } from 'playwright/test';
import { expect } from './fixtures.ts';

/** The element with the focus. */
interface Stop {
  readonly place: string;
  /** Whether it is the wanted control. */
  readonly arrived: boolean;
  /** Why the focus is not visible; empty if it is. */
  readonly faults: readonly string[];
  /** The colors of outline and background, whose contrast need not be measured again. */
  readonly colours: string;
}

/** Runs in the browser. `known` are colors with enough contrast in both themes. */
function lookAround(control: Element, known: readonly string[]): Stop {
  // Transitions are finished before measuring.
  const arrive = () => {
    void document.body.getBoundingClientRect();
    for (const change of document.getAnimations()) if (change instanceof CSSTransition) change.finish();
  };
  arrive();
  const focused = document.activeElement ?? document.body;
  const { tagName, className, textContent } = focused;
  const place = `<${tagName.toLowerCase()} class="${className}"> ${textContent.trim().slice(0, 40)}`;
  const arrived = focused === control;
  const told = (faults: readonly string[], colours = '') => ({ place, arrived, faults, colours });
  if (focused === document.body) return told(['the focus is lost']);

  // The outline may be on a label, the parent of an invisible control, or its only child.
  const isRinged = (element: Element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
  };
  const inner = focused.firstElementChild;
  let ringed: Element | null = inner !== null && isRinged(inner) ? inner : focused;
  for (let up = 0; up < 2 && ringed !== null && !isRinged(ringed); up++) ringed = ringed.parentElement;
  if (ringed === null || !isRinged(ringed)) return told(['nothing shows the focus']);

  const faults: string[] = [];
  const { left, right, top, bottom } = ringed.getBoundingClientRect();
  const over = document.elementFromPoint(
    (Math.max(left, 0) + Math.min(right, innerWidth)) / 2,
    (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2,
  );
  if (over === null) faults.push('outside of the window');
  else if (!ringed.contains(over) && !over.contains(ringed)) faults.push(`covered by ${over.outerHTML.slice(0, 60)}`);

  const coloursOf = (element: Element): readonly [string, string] => {
    let ground = element.parentElement;
    while (ground && /, 0\)$|transparent/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
    return [getComputedStyle(element).outlineColor, getComputedStyle(ground ?? document.body).backgroundColor];
  };
  const luminance = (colour: string) => {
    const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
      const value = Number(part) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const colours = coloursOf(ringed).join(' on ');
  if (known.includes(colours)) return told(faults, colours);
  const root = document.documentElement;
  const chosen = root.dataset.theme;
  for (const theme of ['light', 'dark']) {
    root.dataset.theme = theme;
    arrive();
    const [ring, ground] = coloursOf(ringed).map(luminance) as [number, number];
    const contrast = (Math.max(ring, ground) + 0.05) / (Math.min(ring, ground) + 0.05);
    if (contrast < 3) faults.push(`a ring of ${contrast.toFixed(1)}:1 in the ${theme} theme`);
  }
  if (chosen === undefined) delete root.dataset.theme;
  else root.dataset.theme = chosen;
  return told(faults, colours);
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
}

/** More tab stops than any page has between two consecutive targets. */
const patience = 60;
const seen: string[] = [];

/** Controls the page with the keyboard only. */
export function keyboardOf(page: Page): Keyboard {
  const look = async (control: Locator): Promise<Stop> => {
    const stop = await control.evaluate(lookAround, seen);
    expect([stop.place, stop.faults]).toEqual([stop.place, []]);
    if (!seen.includes(stop.colours)) seen.push(stop.colours);
    return stop;
  };
  const own: Keyboard = {
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key);
    },
    type: (text) => page.keyboard.type(text),
    async at(control) {
      await expect(control).toBeFocused();
      await look(control);
    },
    async tabTo(control, key = 'Tab') {
      const passed: string[] = [];
      while (passed.length < patience) {
        await page.keyboard.press(key);
        const { place, arrived } = await look(control);
        if (arrived) return;
        passed.push(place);
      }
      throw new Error(`${control.toString()} is not reached:\n${passed.join('\n')}`);
    },
    async use(control, key = 'Enter') {
      await own.tabTo(control);
      await page.keyboard.press(key);
    },
  };
  return own;
}
