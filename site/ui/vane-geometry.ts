/** The arrow of the vane, pointing right, drawn around its pivot at 0,0. */
export const vaneArrow = 'M14.5 0 5.5-5.5V-1.3H-5L-10-6H-14.5L-11 0-14.5 6H-10L-5 1.3H5.5V5.5Z';
/** Mast and foot below the pivot. */
export const vaneMast = 'M0 0V15M-5.5 15H5.5';
/** A semicircle above the pivot with ticks at 0, 1/2, and 1. */
export const vaneDial = 'M-15.5 0A15.5 15.5 0 0 1 15.5 0M-15.5 0H-13.5M15.5 0H13.5M0-15.5V-13.5';
/** Position of the pivot in a 32 by 32 picture. */
export const vanePivot = 'translate(16 15.5)';

/** Rotation of the arrow in the logo, in degrees. */
export const vaneRest = -28;

/** Converts the share of the leading option (0 to 1) to degrees: 0 points left, 1/2 up, 1 right. */
export function vaneAngle(share: number | undefined): number {
  if (share === undefined) return vaneRest;
  const clamped = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
  return Math.round((clamped - 1) * 1_800) / 10;
}
