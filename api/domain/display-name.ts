/** The parts of a member’s name. */
export interface Named {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly username: string;
}

/** The name that others see: first and last name, or the username if both are empty. */
export function displayName({ firstName, lastName, username }: Named): string {
  const given = [firstName, lastName].filter((part) => part !== null && part !== '').join(' ');
  return given === '' ? username : given;
}
