/** What the browser shows in place of a text of the page. */
type Shown = ChildNode;

const isText = (node: Node): node is Text => node.nodeType === Node.TEXT_NODE;

/** Pages whose texts are kept. */
const kept = new WeakSet<Document>();

/**
 * A translation by the browser replaces texts by its own elements. React still holds the texts: inserting something before one
 * or removing it would fail, and the page would disappear; changing one would change nothing that is shown. So this finds
 * what is shown in place of a text, and shows the text again once it changes, to be translated anew.
 */
export function keepTranslated(page: Document): void {
  if (kept.has(page)) return;
  kept.add(page);
  const inPlaceOf = new WeakMap<Node, Shown>();

  /** The child of `parent` that shows a text, or has it inside. */
  const shownIn = (parent: Node, text: Node): ChildNode | null => {
    const passed = new Set<Node>();
    let node: Node | null | undefined = text;
    while (node && node.parentNode !== parent && !passed.has(node)) {
      passed.add(node);
      node = parent.contains(node) ? node.parentNode : inPlaceOf.get(node);
    }
    return node?.parentNode === parent ? (node as ChildNode) : null;
  };

  const observer = new MutationObserver((records) => {
    const added = new Set(records.flatMap(({ addedNodes }) => [...addedNodes]));
    for (const { type, target, addedNodes, removedNodes, previousSibling, nextSibling } of records) {
      if (type === 'characterData') {
        const shown = inPlaceOf.get(target);
        if (target.isConnected || !shown?.isConnected) continue;
        inPlaceOf.delete(target);
        shown.replaceWith(target);
        continue;
      }
      for (const node of addedNodes) {
        const shown = inPlaceOf.get(node);
        if (!shown?.isConnected || shown.contains(node)) continue;
        // React moved it.
        inPlaceOf.delete(node);
        shown.remove();
      }
      for (const node of removedNodes) {
        if (node.isConnected || !(isText(node) || node.nodeName === 'FONT')) continue;
        // Replaced at once, or inserted beside it before.
        const shown = addedNodes[0] ?? [previousSibling, nextSibling].find((one) => one !== null && added.has(one));
        if (!shown) continue;
        inPlaceOf.set(node, shown as ChildNode);
        if (isText(node)) observer.observe(node, { characterData: true });
      }
    }
  });
  observer.observe(page, { childList: true, subtree: true });

  const insertBefore = Reflect.get(Node.prototype, 'insertBefore');
  const removeChild = Reflect.get(Node.prototype, 'removeChild');
  const isMissing = (parent: Node, node: Node | null): node is Text =>
    node !== null && node.parentNode !== parent && isText(node);
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    let place = before;
    // A text of which nothing is left was merged into its neighbors: the end is as good a place as any.
    if (isMissing(this, before)) place = shownIn(this, before) ?? (before.isConnected ? before : null);
    return insertBefore.call(this, node, place) as T;
  };
  Node.prototype.removeChild = function <T extends Node>(this: Node, node: T): T {
    const shown = isMissing(this, node) ? shownIn(this, node) : node;
    if (shown === null && !node.isConnected) return node;
    removeChild.call(this, shown ?? node);
    return node;
  };
}
