/** What is known of somebody whose picture is missing. */
export interface Initialled {
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** The name that stands beside the picture: the username of who gave no other. */
  readonly name: string;
}

/** First letters of first and last name; of whoever gave neither, that of the name that is shown. */
export function initials({ firstName, lastName, name }: Initialled): string {
  const letters = [firstName, lastName].map(firstLetter).join('');
  return letters === '' ? firstLetter(name) : letters;
}

/** As a reader counts letters: accents and joined signs stay together. */
function firstLetter(text: string | null): string {
  const [first] = new Intl.Segmenter().segment((text ?? '').trim());
  return (first?.segment ?? '').toUpperCase();
}
