/** Whether two values of a field are the same, in the order of lists and members. */
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Those of the fields in which two contents differ. */
export function changesIn<C, F extends keyof C>(fields: readonly F[], before: C, after: C): F[] {
  return fields.filter((field) => !isSame(before[field], after[field]));
}

/** Those of the fields that two people have changed differently since `base`. */
export function clashesIn<C, F extends keyof C>(fields: readonly F[], base: C, mine: C, theirs: C): F[] {
  return changesIn(changesIn(changesIn(fields, base, mine), base, theirs), mine, theirs);
}

/** These fields of a content. */
export function pick<C>(content: C, fields: readonly (keyof C)[]): Partial<C> {
  return Object.fromEntries(fields.map((field) => [field, content[field]])) as Partial<C>;
}
