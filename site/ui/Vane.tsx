import { vaneAngle, vaneArrow, vaneDial, vaneMast, vanePivot } from './vane-geometry.ts';

interface VaneProps {
  /** Share of the leading option, 0 to 1: the arrow points left, up, or right. Without it the arrow is at rest. */
  readonly share?: number | undefined;
  /** Draws the semicircular dial. */
  readonly dial?: boolean;
  /** Animates the arrow while something loads. */
  readonly busy?: boolean;
  /** Accessible name; without it the vane is decoration. */
  readonly label?: string;
  readonly className?: string;
}

/** The logo, a turning weathervane, also used as a loading indicator and as the needle of a result. */
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
