import { isolated } from './visible-text.ts';

/** The parts of a member’s name. */
export interface Named {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly username: string;
}

/** Who created a community poll; both are left out of saved lists, and a former member has no username. */
interface CreatedBy {
  readonly createdByName?: string;
  readonly createdByUsername?: string | null;
}

/** The name that others see: first and last name, or the username if both are empty. */
export function displayName({ firstName, lastName, username }: Named): string {
  const given = [firstName, lastName].filter((part) => part !== null && part !== '').join(' ');
  return given === '' ? username : given;
}

/** A person in a sentence: the name with the username, which nobody else has. */
export function personText(name: string, username: string): string {
  return name === username ? `@${username}` : `${isolated(name)} (@${username})`;
}

/** The creator of a community poll in a sentence. */
export function creatorText({ createdByName: name = '', createdByUsername: username = null }: CreatedBy): string {
  return username === null ? name : personText(name, username);
}
