import { useState } from 'react';
import styles from './Avatar.module.css';

/** A member's names, from which initials are made. */
export interface PersonName {
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** The displayed name; the username if the member gave no other. */
  readonly name: string;
}

/** What a member is shown by. */
export interface Pictured extends PersonName {
  readonly profileImageUrl: string | null;
}

interface AvatarProps {
  readonly person: Pictured;
  readonly size?: 'small' | 'large';
}

/** A member's picture, or their initials if there is no picture or it fails to load. Decoration next to the name. */
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
          // A picture that failed before hydration fires no error event anymore.
          ref={(image) => {
            if (image?.complete && image.naturalWidth === 0) setBroken(address);
          }}
          onError={() => setBroken(address)}
        />
      )}
    </span>
  );
}

/** First letters of first and last name, or of the displayed name if both are empty. */
export function initials({ firstName, lastName, name }: PersonName): string {
  const letters = [firstName, lastName].map(firstLetter).join('');
  return letters === '' ? firstLetter(name) : letters;
}

/** The first grapheme: accents and joined characters stay together. */
function firstLetter(text: string | null): string {
  const [first] = new Intl.Segmenter().segment((text ?? '').trim());
  return (first?.segment ?? '').toUpperCase();
}
