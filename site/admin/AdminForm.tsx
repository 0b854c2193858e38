import { useId, useState } from 'react';
import type { InputHTMLAttributes, ReactNode } from 'react';
import { readLocalTime } from '#domain/time-zone.ts';
import { trimText } from '#domain/visible-text.ts';
import { ApiError } from '#site/client/api.ts';
import { useForm } from '#site/client/use-form.ts';
import type { ReadField } from '#site/client/use-form.ts';
import { Dialog, DialogActions } from '#site/ui/Dialog.tsx';
import { Field } from '#site/ui/Field.tsx';
import { siteZone } from '#site/ui/format.ts';
import { momentErrors } from '#site/ui/MomentField.tsx';
import { SelectField } from '#site/ui/SelectField.tsx';
import type { Choices } from '#site/ui/SelectField.tsx';
import { toast } from '#site/ui/toasts.ts';
import type { ToastMessage } from '#site/ui/toasts.ts';
import { adminToasts } from '#texts/admin.ts';
import styles from './Admin.module.css';
import { AdminMoment } from './AdminMoment.tsx';
import { adminErrorMessage, refreshAdmin } from './admin-session.ts';

/** A field of a form; its text is sent without space around it, and a date with its time as ISO 8601. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly note?: string | undefined;
  /** May depend on what is chosen. */
  readonly hint?: string | ((value: string) => string) | undefined;
  readonly value?: string | undefined;
  readonly input?: InputHTMLAttributes<HTMLInputElement>;
  /** Makes it a field of several lines. */
  readonly rows?: number;
  /** Makes it a list to choose one value from. */
  readonly choices?: Choices;
  /** Makes it a list to check any number of values in: those that are checked at first. */
  readonly checked?: readonly string[];
  /** Makes it a date with an optional time: without one, the start or the end of the day. */
  readonly moment?: 'start' | 'end';
  /** What is said when it is left empty, or nothing is checked; optional without it. */
  readonly required?: string;
  /** What is wrong with a text that is not empty. */
  readonly wrong?: (text: string, fileOf: (name: string) => File) => string | undefined;
  /** Why its value was of no use. */
  readonly problem?: string | undefined;
}

interface AdminFormProps {
  readonly heading?: string;
  readonly fields: readonly FormField[];
  /** The text of the button; several make a choice, sent as the field `submit`. */
  readonly submit: string | Choices;
  readonly pending?: string;
  /** Names of the buttons, if their texts don’t say what they are about. */
  readonly submitNames?: readonly string[];
  /**
   * Sends the fields; `fileOf` returns the file that a field has. With a notification, something has changed: it is shown, and the
   * admin lists are read again.
   */
  readonly send: (
    field: ReadField,
    all: (name: string) => string[],
    fileOf: (name: string) => File,
  ) => Promise<ToastMessage | undefined> | undefined;
  /** Why nothing can be sent now, if so. */
  readonly blocked?: { readonly text: string; readonly now: boolean };
  /** The fields are empty again once they are sent. */
  readonly resets?: boolean;
  /** The form is in a dialog, which covers notifications. */
  readonly cancel?: { readonly label: string; readonly onClose: () => void } | undefined;
  readonly kind?: 'primary' | 'danger';
  /** The field that a refusal is about when it names none. */
  readonly refused?: string;
  readonly className?: string | undefined;
  /** Above the fields. */
  readonly children?: ReactNode;
}

/** An admin form: the fields that it is given, and a button. */
export function AdminForm(props: AdminFormProps) {
  const { fields, submit, pending: pendingLabel, submitNames, send, resets, cancel, refused, blocked } = props;
  const { kind = cancel && 'primary' } = props;
  const state = useForm({
    bodyOf: (_, { data }) => ({
      field: (name: string) => valueOf(data, fields.find((one) => one.name === name) ?? { name }),
      all: (name: string) => data.getAll(name) as string[],
      fileOf: (name: string) => data.get(name) as File,
    }),
    check: ({ field, all, fileOf }, form) => [
      ...(blocked?.now ? [{ field: '', message: blocked.text }] : []),
      ...fields.flatMap(({ name, label, required, checked, moment, wrong }) => {
        const time = { name, label, value: localTime(all(name)), zone: siteZone() };
        const isEmpty = checked === undefined ? field(name) === '' : all(name).length === 0;
        const message = isEmpty ? required : wrong?.(field(name), fileOf);
        return [
          ...(moment ? momentErrors(form, time) : []),
          ...(message === undefined ? [] : [{ field: name, message }]),
        ];
      }),
    ],
    send: async ({ field, all, fileOf }) => send(field, all, fileOf),
    onSent(message, _, form) {
      if (resets) form.reset();
      if (!message) return;
      toast(message);
      void refreshAdmin();
      cancel?.onClose();
    },
    onFailed(error) {
      const isLocked = error instanceof ApiError && error.code === 'ADMIN_REQUIRED';
      const text = adminErrorMessage(error);
      if (cancel !== undefined || refused !== undefined) return text;
      if (!isLocked) toast({ title: adminToasts.failed, text, destructive: true });
      return null;
    },
  });
  const { pending, problemOf, formProblem } = state;
  const choices: Choices = typeof submit === 'string' ? [['', submit]] : submit;
  const buttons = choices.map(([value, label], place) => (
    <button
      key={value}
      type="submit"
      {...(value !== '' && { name: 'submit', value })}
      className={`button ${kind ? `button--${kind}` : ''} ${choices.length > 1 ? 'button--small' : ''}`.trim()}
      aria-label={submitNames?.[place]}
      aria-disabled={pending}
    >
      {pending ? (pendingLabel ?? label) : label}
    </button>
  ));
  return (
    <form {...state.form} className={props.className ?? (cancel ? styles.form : 'stack')}>
      {props.heading !== undefined && <h3>{props.heading}</h3>}
      {props.children}
      {fields.map((field) => (
        <FormRow
          key={field.name}
          {...field}
          problem={problemOf(field.name) ?? (field.name === refused ? formProblem : null) ?? field.problem}
        />
      ))}
      {formProblem !== null && refused === undefined && (formProblem !== blocked?.text || blocked.now) && (
        <p className={styles.problem} role="alert">
          {formProblem}
        </p>
      )}
      {cancel ? (
        <DialogActions>
          <button type="button" className="button" onClick={cancel.onClose}>
            {cancel.label}
          </button>
          {buttons}
        </DialogActions>
      ) : (
        <div className={styles.actions}>{buttons}</div>
      )}
    </form>
  );
}

interface FormDialogProps extends Omit<AdminFormProps, 'cancel' | 'children'> {
  readonly title: string;
  readonly text?: string | undefined;
  /** The text of the button that closes it. */
  readonly cancel: string;
  readonly onClose: () => void;
}

/** An admin form in a dialog of its own, which closes once something has changed. */
export function FormDialog({ title, text, cancel, onClose, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <AdminForm {...form} cancel={{ label: cancel, onClose }}>
        {text !== undefined && <p>{text}</p>}
      </AdminForm>
    </Dialog>
  );
}

/** What a date and its time make: “2026-11-23T09:00”, “2026-11-23”, or nothing. */
const localTime = ([date = '', time = '']: readonly string[]) =>
  date === '' || time === '' ? date : `${date}T${time}`;

/** The value of a field: of a file, its name. */
function valueOf(data: FormData, { name, moment }: Pick<FormField, 'name' | 'moment'>): string {
  if (moment !== undefined) {
    const found = readLocalTime(localTime(data.getAll(name) as string[]), siteZone(), moment === 'end');
    return typeof found === 'number' ? new Date(found).toISOString() : '';
  }
  const value = data.get(name) ?? '';
  return trimText(typeof value === 'string' ? value : value.name);
}

function MomentRow({
  name,
  label,
  hint,
  value,
  moment,
  problem,
}: Omit<FormField, 'hint'> & { readonly hint?: string }) {
  const [at, setAt] = useState(value ?? null);
  return (
    <AdminMoment
      {...{ id: useId(), name, label, hint, problem }}
      value={at}
      isEnd={moment === 'end'}
      onChange={setAt}
    />
  );
}

function FormRow(field: FormField) {
  const { name, label, note, hint, value, choices, checked, problem, rows, input } = field;
  const id = useId();
  const [chosen, setChosen] = useState(value ?? choices?.[0]?.[0] ?? '');
  const about = typeof hint === 'function' ? hint(chosen) : hint;
  if (field.moment !== undefined) return <MomentRow {...field} hint={about} />;
  if (choices === undefined)
    return (
      <Field {...{ id, label, note, problem }} hint={about}>
        {(control) => {
          const shared = { ...control, className: 'input', name, defaultValue: value };
          return rows === undefined ? (
            <input {...shared} {...input} />
          ) : (
            <textarea {...shared} rows={rows} dir="auto" />
          );
        }}
      </Field>
    );
  if (checked === undefined)
    return (
      <SelectField {...{ name, label, note, problem, choices }} hint={about} value={chosen} onChange={setChosen} />
    );
  return (
    <fieldset className={styles.options} aria-describedby={problem === undefined ? undefined : id}>
      <legend>{label}</legend>
      {choices.map(([one, text]) => (
        <label key={one} className={styles.check}>
          <input type="checkbox" name={name} value={one} defaultChecked={checked.includes(one)} />
          {text}
        </label>
      ))}
      {problem !== undefined && (
        <p id={id} className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
