/** A rectangle in the viewport, in pixels, such as a DOMRect. */
type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;

/** Corners of the viewport; on phones a notification is as wide as the screen. */
const places = ['bottom-end', 'bottom-start', 'top-end', 'top-start'] as const;
type ToastPlace = (typeof places)[number];

const length = (from: number, to: number) => Math.max(0, to - from);

/** The area that two rectangles share, in square pixels. */
export function overlap(a: Box, b: Box): number {
  const width = length(Math.max(a.left, b.left), Math.min(a.right, b.right));
  return width * length(Math.max(a.top, b.top), Math.min(a.bottom, b.bottom));
}

/** The corner, below what takes up `top`, in which a notification, measured at the bottom end, covers the least of all `kept`. */
export function placeClearOf(
  toast: Box,
  viewport: { readonly width: number; readonly height: number; readonly top: number },
  kept: readonly Box[],
): ToastPlace {
  const below = viewport.top + viewport.height;
  const covers = (place: ToastPlace) => {
    const box = {
      ...(place.endsWith('end')
        ? { left: toast.left, right: toast.right }
        : { left: viewport.width - toast.right, right: viewport.width - toast.left }),
      ...(place.startsWith('bottom')
        ? { top: toast.top, bottom: toast.bottom }
        : { top: below - toast.bottom, bottom: below - toast.top }),
    };
    return kept.reduce((sum, one) => sum + overlap(one, box), 0);
  };
  return places.reduce<ToastPlace>((best, place) => (covers(place) < covers(best) ? place : best), places[0]);
}
