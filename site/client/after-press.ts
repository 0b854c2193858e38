import { useCallback, useEffect, useRef } from 'react';

/**
 * Runs an action once no pointer is pressed. Pressing a button blurs the field before it, and a problem text appearing
 * there immediately would move the button away from the pointer.
 */
export function useAfterPress(): (action: () => void) => void {
  const pressed = useRef(false);
  const waiting = useRef<(() => void)[]>([]);

  useEffect(() => {
    const listening = new AbortController();
    const options = { capture: true, signal: listening.signal };
    const release = () => {
      pressed.current = false;
      // The click event follows in the same task.
      setTimeout(() => {
        for (const action of waiting.current.splice(0)) action();
      });
    };
    addEventListener('pointerdown', () => (pressed.current = true), options);
    for (const event of ['pointerup', 'pointercancel', 'dragend']) addEventListener(event, release, options);
    return () => listening.abort();
  }, []);

  return useCallback((action) => {
    if (pressed.current) waiting.current.push(action);
    else action();
  }, []);
}
