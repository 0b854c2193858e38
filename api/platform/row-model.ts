import { Model } from 'objection';
import type { Row, Rows } from '#db/tables.ts';

/** Objection’s model, whose instances have the columns of a table; `Parsed` has those that the model reads as another type. */
export type RowModel<Columns> = Omit<typeof Model, 'prototype'> & (new () => Model & Columns);

/** The class that the model of a table extends. */
export const rowModel = <
  Table extends keyof Rows,
  Parsed extends { [Column in keyof Row<Table>]?: unknown } = object,
>() => Model as unknown as RowModel<Omit<Row<Table>, keyof Parsed> & Parsed>;
