import { vaneAngle, vaneArrow, vaneDial, vaneMast, vanePivot } from './vane-geometry.ts';

interface VaneProps {
  /** Share of the leading option, 0 to 1: the arrow points left, up or right. Without it the vane rests. */
  readonly share?: number | undefined;
  /** Draws the half circle that the arrow points at. */
  readonly dial?: boolean;
  /** The arrow searches: something is being loaded. */
  readonly busy?: boolean;
  /** Says what the vane shows; without it the vane is decoration. */
  readonly label?: string;
  readonly className?: string;
}

/** The product's mark: a vane that turns. As a loading indicator, and as a needle on a result. */
export function Vane({ share, dial = false, busy = false, label, className = '' }: VaneProps) {
  return (
    <svg
      className={`vane${dial ? ' vane--dial' : ''}${busy ? ' vane--busy' : ''} ${className}`.trim()}
      viewBox="0 0 32 32"
      width="28"
      height="28"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <g transform={vanePivot}>
        {dial && <path className="vane__dial" d={vaneDial} />}
        <path className="vane__mast" d={vaneMast} />
        <g className="vane__arrow" transform={`rotate(${vaneAngle(share)})`}>
          <path className="vane__turn" d={vaneArrow} />
        </g>
      </g>
    </svg>
  );
}
