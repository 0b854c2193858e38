/** What is known of a person's name. */
export interface Named {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly username: string;
}

/** The name that others read: first and last name, or the username of who gave neither. */
export function displayName({ firstName, lastName, username }: Named): string {
  const given = [firstName, lastName].filter((part) => part !== null && part !== '').join(' ');
  return given === '' ? username : given;
}
