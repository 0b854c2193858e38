import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import type { Key, ReactNode } from 'react';
import type { EndpointName, ParamsOf, QueryOf, ResponseOf } from '#api/endpoints.contract.ts';
import { queryClient } from '#site/client/query-client.ts';
import { toast } from '#site/ui/toasts.ts';
import type { ToastMessage } from '#site/ui/toasts.ts';
import { ActionDialog } from './ActionDialog.tsx';
import type { Question } from './ActionDialog.tsx';
import styles from './Admin.module.css';
import { adminKey, callAdmin, refreshAdmin, useAdminMutation } from './admin-session.ts';
import { Loaded, Pagination } from './AdminSection.tsx';

/** Of all endpoints at once, the parameters are too many types for the compiler. */
const callAny = callAdmin as (name: EndpointName, options: object) => Promise<unknown>;

interface QueryOptions<N extends EndpointName> {
  readonly params?: ParamsOf<N>;
  readonly query?: QueryOf<N>;
  /** Milliseconds until the data is read again; false: it isn’t. */
  readonly enabled?: boolean;
  readonly refetch?: (data: ResponseOf<N> | undefined) => number | false;
}

/** The key of a query of {@link useAdminQuery}. */
export const adminQueryKey = (name: EndpointName, request: object = {}) => [...adminKey, name, request];

/** Reads an admin endpoint. While another query is read, such as another page of a list, the last one is shown. */
export function useAdminQuery<N extends EndpointName>(
  name: N,
  { refetch, enabled = true, ...request }: QueryOptions<N> = {},
): UseQueryResult<ResponseOf<N>> {
  return useQuery(
    {
      queryKey: adminQueryKey(name, request),
      enabled,
      queryFn: ({ signal }) => callAny(name, { ...request, signal }),
      ...(request.query !== undefined && { placeholderData: keepPreviousData }),
      ...(refetch && { refetchInterval: ({ state }) => refetch(state.data as ResponseOf<N> | undefined) }),
    },
    queryClient(),
  ) as UseQueryResult<ResponseOf<N>>;
}

interface RowsProps<T> {
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => Key;
  /** The row as a list item, such as `ListRow`. */
  readonly row: (row: T) => ReactNode;
  /** What is said if there are no rows. */
  readonly empty?: string | undefined;
  readonly label?: string | undefined;
  /** The order of the rows means something. */
  readonly ordered?: boolean;
  /** Other rows are being read. */
  readonly inert?: boolean;
}

/** Rows that are known, or that there are none. */
export function Rows<T>({ rows, keyOf, row, empty, label, ordered = false, inert = false }: RowsProps<T>) {
  const List = ordered ? 'ol' : 'ul';
  if (rows.length === 0) return empty === undefined ? null : <p className="muted">{empty}</p>;
  return (
    <List className={styles.list} aria-label={label} inert={inert}>
      {rows.map((one) => (
        <Fragment key={keyOf(one)}>{row(one)}</Fragment>
      ))}
    </List>
  );
}

interface Paging {
  readonly label: string;
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
}

interface AdminListProps<D, T> extends Omit<RowsProps<T>, 'rows' | 'keyOf' | 'inert'> {
  readonly query: UseQueryResult<D>;
  readonly rows: (data: D) => readonly T[];
  /** By default the row’s `id`. */
  readonly keyOf?: (row: T) => Key;
  readonly paging?: (data: D) => Paging;
  /** Below the list. */
  readonly children?: (data: D) => ReactNode;
}

const idOf = (row: unknown) => (row as { readonly id: Key }).id;

/** An admin list: that it is loading, or why it failed, or its rows, the pages that it has, and what is below it. */
export function AdminList<D, T>(props: AdminListProps<D, T>) {
  const { query, rows, keyOf = idOf, paging, children, ...list } = props;
  return (
    <Loaded query={query}>
      {(data) => (
        <>
          <Rows {...{ ...list, keyOf }} rows={rows(data)} inert={query.isPlaceholderData} />
          {paging && <Pagination {...paging(data)} />}
          {children?.(data)}
        </>
      )}
    </Loaded>
  );
}

interface ListRowProps {
  readonly children: ReactNode;
  /** Buttons and links, beside the text. */
  readonly actions?: ReactNode;
  readonly className?: string | undefined;
}

/** A row of a list: what it says, and what can be done about it. */
export const ListRow = ({ children, actions, className = '' }: ListRowProps) => (
  <li className={`${styles.entry} ${className}`.trim()}>
    <div className={styles.record}>{children}</div>
    {actions !== undefined && actions !== false && <div className="row">{actions}</div>}
  </li>
);

interface ActionButtonProps {
  readonly label: string;
  /** The name of the button if the label doesn’t say what it is about. */
  readonly name?: string | undefined;
  /** By default a small button. */
  readonly className?: string | undefined;
  readonly disabled?: boolean;
  /** What is asked first, in a dialog. */
  readonly ask?: Question;
  /** Called when it is pressed; with false, nothing else happens. */
  readonly onPress?: () => boolean;
  /** With a notification, something has changed: it is shown, and the admin lists are read again. */
  readonly act: () => Promise<ToastMessage | undefined>;
}

/** A button that does something, once at a time, after asking if it has to. */
export function ActionButton(props: ActionButtonProps) {
  const { label, name, className = 'button button--small', disabled = false, ask, onPress, act } = props;
  const [isAsking, setAsking] = useState(false);
  const { mutate, isPending } = useAdminMutation(act, (message) => {
    if (!message) return;
    toast(message);
    void refreshAdmin();
  });
  const isOff = disabled || isPending;
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={name}
        aria-disabled={isOff}
        onClick={() => {
          if (isOff || onPress?.() === false) return;
          if (ask) setAsking(true);
          else mutate();
        }}
      >
        {label}
      </button>
      {ask && isAsking && <ActionDialog {...ask} action={act} onClose={() => setAsking(false)} />}
    </>
  );
}
