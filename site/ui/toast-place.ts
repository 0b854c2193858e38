/** A rectangle in the viewport, in pixels, such as a DOMRect. */
type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;

/** Corners of the viewport; on phones a notification is as wide as the screen. */
const corners = ['bottom-end', 'bottom-start', 'top-end', 'top-start'] as const;
/** `bar`: over the top bar. */
type ToastPlace = (typeof corners)[number] | 'bar';

const length = (from: number, to: number) => Math.max(0, to - from);

/** The area that two rectangles share, in square pixels. */
export function overlap(a: Box, b: Box): number {
  const width = length(Math.max(a.left, b.left), Math.min(a.right, b.right));
  return width * length(Math.max(a.top, b.top), Math.min(a.bottom, b.bottom));
}

/**
 * The place in which a notification, measured at the bottom end, covers nothing of `kept` and the least of `others`: a corner
 * below what takes up `top`, or else that itself.
 */
export function placeClearOf(
  toast: Box,
  viewport: { readonly width: number; readonly height: number; readonly top: number },
  kept: readonly Box[],
  others: readonly Box[],
): ToastPlace {
  const below = viewport.top + viewport.height;
  const boxAt = (place: ToastPlace): Box => ({
    ...(place.endsWith('end')
      ? { left: toast.left, right: toast.right }
      : { left: viewport.width - toast.right, right: viewport.width - toast.left }),
    ...(place.startsWith('bottom')
      ? { top: toast.top, bottom: toast.bottom }
      : { top: below - toast.bottom, bottom: below - toast.top }),
  });
  const covered = (place: ToastPlace, boxes: readonly Box[]) =>
    boxes.reduce((sum, one) => sum + overlap(one, boxAt(place)), 0);
  const [best = 'bar'] = corners
    .filter((place) => covered(place, kept) === 0)
    .toSorted((a, b) => covered(a, others) - covered(b, others));
  return best;
}
