/** The arrow of the vane, pointing right, drawn around its pivot at 0,0. */
export const vaneArrow = 'M14.5 0 5.5-5.5V-1.3H-5L-10-6H-14.5L-11 0-14.5 6H-10L-5 1.3H5.5V5.5Z';
/** Mast and foot below the pivot. */
export const vaneMast = 'M0 0V15M-5.5 15H5.5';
/** Half a circle over the pivot with ticks at nothing, half and all. */
export const vaneDial = 'M-15.5 0A15.5 15.5 0 0 1 15.5 0M-15.5 0H-13.5M15.5 0H13.5M0-15.5V-13.5';
/** The pivot's place in a picture of 32 by 32. */
export const vanePivot = 'translate(16 15.5)';
/** Degrees of the arrow in the mark. */
export const vaneRest = -28;

/** Turns the share of the leading option (0 to 1) into degrees: nothing points left, half up, everything right. */
export function vaneAngle(share: number | undefined): number {
  if (share === undefined) return vaneRest;
  const within = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
  return Math.round((within - 1) * 1_800) / 10;
}
