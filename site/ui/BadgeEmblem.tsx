import type { BadgeKey } from '#api/members/badges/badges.contract.ts';
import { badges } from '#domain/badges/rules.ts';
import { frameOf, motifs } from './emblems/drawings.ts';
import { vaneArrow } from './vane-geometry.ts';
import styles from './BadgeEmblem.module.css';

interface BadgeEmblemProps {
  readonly badge: BadgeKey;
  readonly earned: boolean;
  /** Width and height in pixels. */
  readonly size?: number;
  /** Accessible name; without it the emblem is decoration next to the badge's name. */
  readonly label?: string;
  readonly className?: string;
}

/** A badge's emblem, a weathervane with a motif: filled in color once earned, outlined before. */
export function BadgeEmblem({ badge, earned, size = 64, label, className = '' }: BadgeEmblemProps) {
  const { category, tier, colour } = badges[badge];
  const { plate, engraving } = frameOf(category, tier);
  const { solid, line, fine, cut } = motifs[badge];
  return (
    <svg
      className={`${styles.emblem} ${styles[colour]} ${earned ? styles.earned : styles.ahead} ${className}`.trim()}
      viewBox="0 0 64 64"
      width={size}
      height={size}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <path className={styles.plate} d={plate} />
      <path className={styles.engraving} d={engraving} />
      {solid !== undefined && <path className={styles.solid} d={solid} />}
      {cut !== undefined && <path className={styles.cut} d={cut} />}
      {line !== undefined && <path className={styles.line} d={line} />}
      {fine !== undefined && <path className={styles.fine} d={fine} />}
      <path className={styles.vane} d="M30.8 49H33.2V57H30.8Z" />
      <path className={styles.vane} transform="translate(32 48) scale(1.16 .9)" d={vaneArrow} />
    </svg>
  );
}
