import { problemSummaryTexts as texts } from '#texts/admin-pages.ts';
import adminStyles from './Admin.module.css';

interface Problem {
  readonly message: string;
  /** Where the message is shown; null if only the summary shows it. */
  readonly control: { readonly id: string; readonly label: string } | null;
}

/** Why a form was refused: links to the fields, which have the messages, and what is about none of them. */
export function ProblemSummary({ problems }: { readonly problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  const fields = new Map(problems.flatMap(({ control }) => (control === null ? [] : [[control.id, control.label]])));
  const others = problems.filter(({ control }) => control === null).map(({ message }) => message);
  return (
    <p className={adminStyles.problem} role="alert">
      {fields.size > 0 && `${texts.fields(fields.size)} `}
      {[...fields].map(([id, label], place) => (
        <span key={id}>
          {place > 0 && ', '}
          <a
            href={`#${id}`}
            onClick={(event) => {
              event.preventDefault();
              document.getElementById(id)?.focus();
            }}
          >
            {label}
          </a>
        </span>
      ))}
      {[...new Set(others)].join(' ')}
    </p>
  );
}
