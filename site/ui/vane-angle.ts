/** Rotation of the arrow in the logo, in degrees. */
export const vaneRest = -28;

/** Converts the share of the leading option (0 to 1) to degrees: 0 points left, 1/2 up, 1 right. */
export function vaneAngle(share: number | undefined): number {
  if (share === undefined) return vaneRest;
  const clamped = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
  return Math.round((clamped - 1) * 1_800) / 10;
}
