import type { Page } from 'playwright/test';

/** Runs in the browser before any other script: records what live regions announce, in order. */
function recordAnnouncements(): void {
  const announcements: string[] = [];
  Object.assign(window, { announcements });
  const live = '[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]';
  const texts = new Map<Element, string>();
  const announce = (region: Element) => {
    const words = region.cloneNode(true) as Element;
    for (const silent of words.querySelectorAll('[aria-live=off]')) silent.remove();
    const text = words.textContent.replace(/\s+/g, ' ').trim();
    if (text !== '' && texts.get(region) !== text) announcements.push(text);
    texts.set(region, text);
  };
  const watch = new MutationObserver((changes) => {
    const changed = new Set<Element>();
    for (const { target, addedNodes } of changes) {
      const region = (target instanceof Element ? target : target.parentElement)?.closest(live);
      if (region) changed.add(region);
      // Only an alert is announced when it is inserted with its text; other live regions must exist before.
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        for (const alert of [node, ...node.querySelectorAll('*')])
          if (alert.matches('[role=alert]')) changed.add(alert);
      }
    }
    for (const region of changed) announce(region);
  });
  // The initial content of a page is not announced.
  addEventListener('DOMContentLoaded', () =>
    watch.observe(document, { subtree: true, childList: true, characterData: true }),
  );
}

/** A page as a screen reader sees it. */
export interface ScreenReader {
  /** The announcements since the last call. */
  announcements(): Promise<string[]>;
  /** Problems of the page’s structure and names; empty if there are none. */
  faults(): Promise<string[]>;
}

const controls = ['button', 'checkbox', 'combobox', 'radio', 'searchbox', 'tab', 'textbox'];
const containers = ['dialog', 'navigation', 'region', 'search', 'tablist', 'tabpanel', 'radiogroup'];
/** Roles whose name is optional but part of the path of their controls. */
const optionallyNamed = ['article', 'form', 'group', 'table'];

interface Node {
  readonly role: string;
  readonly name: string;
  readonly level: number;
  readonly url: string;
  readonly path: string;
}

/** The nodes of the accessibility tree; `path` has the names of their ancestors. */
async function nodesOf(page: Page): Promise<Node[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const named = (node: (typeof nodes)[number]) => String(node.name?.value ?? '').trim();
  // In reading order.
  const read = (id: string): typeof nodes => {
    const node = byId.get(id);
    return node ? [node, ...(node.childIds ?? []).flatMap(read)] : [];
  };
  const property = (node: (typeof nodes)[number], name: string) =>
    node.properties?.find((one) => (one.name as string) === name)?.value.value as unknown;
  return read(nodes[0]!.nodeId)
    .filter(({ ignored }) => !ignored)
    .map((node) => {
      const path: string[] = [];
      for (let up = byId.get(node.parentId ?? ''); up; up = byId.get(up.parentId ?? '')) {
        const role = String(up.role?.value);
        if (named(up) !== '' && [...containers, ...optionallyNamed].includes(role)) path.unshift(named(up));
      }
      const role = String(node.role?.value);
      return {
        role: role === 'searchbox' || role === 'ComboboxSelect' ? 'combobox' : role,
        name: named(node),
        level: Number(property(node, 'level') ?? 0),
        url: (property(node, 'url') as string | undefined) ?? '',
        path: path.join(' / '),
      };
    });
}

/** Simulates a screen reader; must be called before the page is opened. */
export async function screenReaderOf(page: Page): Promise<ScreenReader> {
  await page.addInitScript(recordAnnouncements);
  return {
    announcements: () =>
      page.evaluate(() => (window as unknown as { announcements: string[] }).announcements.splice(0)),
    async faults() {
      const nodes = await nodesOf(page);
      const faults: string[] = [];
      const of = (...roles: readonly string[]) => nodes.filter(({ role }) => roles.includes(role));
      // An open dialog hides the rest of the page.
      const isDialog = of('dialog').length > 0;
      for (const landmark of ['banner', 'main', 'contentinfo'])
        if (!isDialog && of(landmark).length !== 1) faults.push(`${of(landmark).length} × ${landmark}`);
      const headings = of('heading');
      if (!isDialog && headings.filter(({ level }) => level === 1).length !== 1) faults.push('not one h1');
      let last = isDialog ? 1 : 0;
      for (const { level, name } of headings) {
        if (level > last + 1) faults.push(`heading "${name}": ${level} after ${last}`);
        last = level;
      }
      for (const { role, name, path } of of(...controls, ...containers, 'link', 'heading', 'img', 'progressbar'))
        if (name === '') faults.push(`${role} without a name in "${path}"`);
      const seen = new Map<string, string>();
      for (const { role, name, path, url } of of(...controls, ...containers, 'link')) {
        const key = `${role} "${name}" in "${path}"`;
        const isDuplicate = seen.has(key) && (role !== 'link' || seen.get(key) !== url);
        // Two polls may have the same question, and a browser’s date picker has its own names.
        const isExempt = url.includes('/community-polls/') || name.includes('date and time picker');
        if (isDuplicate && !isExempt) faults.push(`more than one ${key}`);
        seen.set(key, url);
      }
      for (const { name, path } of of('radio')) if (path === '') faults.push(`radio "${name}" in no group`);
      if ((await page.locator('html').getAttribute('lang')) !== 'en-US') faults.push('no language');
      return faults;
    },
  };
}
