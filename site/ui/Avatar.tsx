import { useState } from 'react';
import { initials } from './initials.ts';
import type { Initialled } from './initials.ts';
import styles from './Avatar.module.css';

interface AvatarProps {
  readonly person: Initialled & { readonly profileImageUrl: string | null };
  readonly size?: 'small' | 'large';
}

/** A member's picture, or the initials of who has none or whose picture cannot be loaded. Decoration: the name stands beside it. */
export function Avatar({ person, size = 'small' }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const address = person.profileImageUrl;
  return (
    <span className={`${styles.avatar} ${size === 'large' ? styles.large : ''}`.trim()} aria-hidden="true">
      {address === null || address === broken ? (
        initials(person)
      ) : (
        <img
          className={styles.picture}
          src={address}
          alt=""
          decoding="async"
          referrerPolicy="no-referrer"
          // A picture that failed before the island awoke tells nobody any more.
          ref={(image) => {
            if (image?.complete && image.naturalWidth === 0) setBroken(address);
          }}
          onError={() => setBroken(address)}
        />
      )}
    </span>
  );
}
