import { useCallback, useEffect, useRef } from 'react';

/**
 * Does something once no pointer is pressed. A press on a button makes the field before it lose the focus: a sentence
 * that appears there at once would move the button away under the finger, and the press would miss.
 */
export function useAfterPress(): (act: () => void) => void {
  const pressed = useRef(false);
  const waiting = useRef<(() => void)[]>([]);

  useEffect(() => {
    const listening = new AbortController();
    const options = { capture: true, signal: listening.signal };
    const release = () => {
      pressed.current = false;
      // The click comes after this, in the same turn.
      setTimeout(() => {
        for (const act of waiting.current.splice(0)) act();
      });
    };
    addEventListener('pointerdown', () => (pressed.current = true), options);
    for (const event of ['pointerup', 'pointercancel', 'dragend']) addEventListener(event, release, options);
    return () => listening.abort();
  }, []);

  return useCallback((act) => {
    if (pressed.current) waiting.current.push(act);
    else act();
  }, []);
}
