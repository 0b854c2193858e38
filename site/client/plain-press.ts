/** Whether a click may be handled in place; clicks that open a new tab or download stay with the browser. */
export function isPlainPress({
  button,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
}: Pick<MouseEvent, 'button' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}
