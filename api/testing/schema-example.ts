interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
}

/** An example value of a contract schema; `known` has values by member name. All listed members are included. */
export function exampleOf(schema: unknown, known: Readonly<Record<string, unknown>>, name = ''): unknown {
  const one = schema as Schema;
  if (Object.hasOwn(known, name)) return known[name];
  if (one.enum) return one.enum[0];
  if (one.anyOf) return exampleOf(one.anyOf[0], known, name);
  switch (one.type) {
    case 'array':
      return Array.from({ length: Math.max(1, one.minItems ?? 0) }, () => exampleOf(one.items ?? {}, known));
    case 'integer':
    case 'number':
      return one.minimum ?? 0;
    case 'boolean':
      return false;
    case 'string':
      if (one.format === 'date-time') return '2027-01-01T00:00:00.000Z';
      if (one.format === 'date') return '2027-01-01';
      return one.pattern === undefined ? 'some text' : 'text';
    default: {
      const members = Object.entries(one.properties ?? {});
      return Object.fromEntries(members.map(([member, inner]) => [member, exampleOf(inner, known, member)]));
    }
  }
}
