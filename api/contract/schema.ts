import { Type } from 'typebox';
import type { TArray, TObject, TObjectOptions, TProperties, TSchema, TSchemaOptions, TUnion, TUnsafe } from 'typebox';
import * as limits from './limits.ts';

/* How contracts describe data beyond what TypeBox has, and small schemas that several features share. */

/** Types of values by the kinds of their schemas. */
interface Scalars {
  String: string;
  Integer: number;
  Number: number;
  Boolean: boolean;
  Null: null;
  Unknown: unknown;
}
type OptionalKey<P> = { [K in keyof P]: P[K] extends { '~optional': true } ? K : never }[keyof P];
type Members<P> = { [K in Exclude<keyof P, OptionalKey<P>>]: Static<P[K]> } & { [K in OptionalKey<P>]?: Static<P[K]> };

/** The type of what a schema accepts. TypeBox’s own has the compiler do three times as much, for kinds that we don’t use. */
export type Static<S> = S extends { '~unsafe': infer T }
  ? T
  : S extends { '~kind': infer K extends keyof Scalars }
    ? Scalars[K]
    : S extends TObject<infer P>
      ? { [K in keyof Members<P>]: Members<P>[K] }
      : S extends TArray<infer I>
        ? Static<I>[]
        : S extends TUnion<infer U>
          ? Static<U[number]>
          : never;

/** An object with these members and no others. */
export const closed = <P extends TProperties>(members: P, options?: TObjectOptions): TObject<P> =>
  Type.Object(members, { additionalProperties: false, ...options });

/** The same as a component of the OpenAPI document. */
export const named = <P extends TProperties>($id: string, members: P, options?: TObjectOptions): TObject<P> =>
  closed(members, { $id, ...options });

/** Query parameters, each of which may be left out. */
export const query = <P extends TProperties>(parameters: P) =>
  Type.Partial(Type.Object(parameters), { additionalProperties: false });

/** One of these words. */
export const oneOf = <const W extends readonly string[]>(words: W, options?: TSchemaOptions): TUnsafe<W[number]> =>
  Type.Unsafe({ type: 'string', enum: words, ...options });

/** A value or null. */
export const nullable = <S extends TSchema>(schema: S, options?: TSchemaOptions) =>
  Type.Union([schema, Type.Null()], options);

/** A schema with other options, such as a limit. */
export const adjusted = <S extends TSchema>(schema: S, options: TSchemaOptions): S => Type.With(schema, options) as S;

/** A schema with a description of its own. */
export const described = <S extends TSchema>(schema: S, description: string): S => adjusted(schema, { description });

/** A member that may be left out of a request: its reader gets this value then. */
export const defaulted = <S extends TSchema>(schema: S, value: Static<S>): S =>
  Type.Optional(adjusted(schema, { default: value })) as S;

/** An object with any members. */
export const anyObject = (options?: TSchemaOptions): TUnsafe<Record<string, unknown>> =>
  Type.Unsafe({ type: 'object', additionalProperties: true, ...options });

/** Whole numbers by names. */
export const numbersByName = (description: string): TUnsafe<Record<string, number>> =>
  Type.Unsafe({ type: 'object', additionalProperties: count, description });

export const moment = Type.String({ format: 'date-time', description: 'ISO 8601 in UTC' });
export const day = Type.String({ format: 'date', description: 'A day in UTC, 2026-11-21' });
export const maybeMoment = nullable(moment);
/** A day means its start in UTC. */
export const maybeDayOrMoment = Type.Union([moment, day, Type.Null()]);
export const maybeText = nullable(Type.String());
export const count = Type.Integer({ minimum: 0 });
/** A search text: PostgreSQL accepts none with NUL. */
export const soughtText = Type.String({ pattern: '^[^\\u0000]*$' });
/** An email address; its domain may be international, in Unicode or ASCII. */
export const emailPattern =
  "^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[\\p{L}\\p{M}\\p{N}](?:[\\p{L}\\p{M}\\p{N}\\u200c\\u200d-]*[\\p{L}\\p{M}\\p{N}])?[.。．｡])+[\\p{L}\\p{M}\\p{N}](?:[\\p{L}\\p{M}\\p{N}\\u200c\\u200d-]*[\\p{L}\\p{M}\\p{N}])?$";
export const emailAddress = Type.String({ maxLength: limits.email, pattern: emailPattern });
