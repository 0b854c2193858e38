import { describe, expect, test } from 'vitest';
import { endpoints } from '#api/endpoints.contract.ts';
import type { Endpoint } from '#contract/route.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Every object in a schema, by its path. */
function objectsIn(schema: unknown, place: string): (readonly [place: string, schema: Schema])[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = (schema as Schema).type === 'object' ? [[place, schema as Schema] as const] : [];
  return [...own, ...Object.entries(schema).flatMap(([name, inner]) => objectsIn(inner, `${place}.${name}`))];
}

const calls = Object.entries(endpoints) as [string, Endpoint][];

describe('the input of an endpoint', () => {
  test.each(calls.filter(([, { body, query }]) => body !== undefined || query !== undefined))(
    '%s accepts only the properties it names',
    (_, { body, query }) => {
      const objects = [...objectsIn(body, 'body'), ...objectsIn(query, 'query')];
      expect(objects.length).toBeGreaterThan(0);
      expect(objects.filter(([, schema]) => schema.additionalProperties !== false).map(([place]) => place)).toEqual([]);
    },
  );

  test('no body names what only the server sets', () => {
    const decided = /^(userId|createdBy|createdAt|updatedAt|closedAt|totalVotes|isAdmin|role|listed|demonstration)$/;
    const named = calls.flatMap(([name, { body }]) =>
      objectsIn(body, name).flatMap(([place, schema]) =>
        Object.keys(schema.properties ?? {}).map((member) => [place, member] as const),
      ),
    );
    expect(named.length).toBeGreaterThan(20);
    // Owners give roles, and the head of a file says when its text was changed.
    const decidedByOperators = new Set([
      ...['inviteOperator role', 'changeRole role'],
      ...['saveContent.properties.head updatedAt', 'previewContent.properties.head updatedAt'],
    ]);
    const open = named.filter(([place, member]) => !decidedByOperators.has(`${place} ${member}`));
    expect(named.length - open.length).toBe(decidedByOperators.size);
    expect(open.filter(([, member]) => decided.test(member))).toEqual([]);
  });
});
