/** Longer than any picture that is worth showing takes. */
const timeoutMs = 10_000;

/** Whether this browser can show the picture at an address, as an avatar does. Offline nothing is known against it. */
export function pictureLoads(address: string): Promise<boolean> {
  if (!navigator.onLine) return Promise.resolve(true);
  return new Promise((resolve) => {
    const image = new Image();
    const patience = setTimeout(() => resolve(false), timeoutMs);
    const answer = (loads: boolean) => () => {
      clearTimeout(patience);
      resolve(loads);
    };
    image.onload = answer(true);
    image.onerror = answer(false);
    image.referrerPolicy = 'no-referrer';
    image.src = address;
  });
}
