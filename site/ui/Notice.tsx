import type { ReactNode } from 'react';

interface NoticeProps {
  readonly title: string;
  readonly text: string;
  readonly failed?: boolean;
  /** Level of the heading: 3 within the list's section, 2 where it stands in the section's place, 1 in the page's. */
  readonly level?: 1 | 2 | 3;
  /** What to do, as a link; `onAction` takes it over where scripts run. */
  readonly action?: string;
  readonly href?: string;
  readonly onAction?: () => void;
  /** What to do, as buttons. */
  readonly children?: ReactNode;
}

/** What stands in the place of a list that is empty or could not be fetched. */
export function Notice({ title, text, failed = false, level = 3, action, href, onAction, children }: NoticeProps) {
  const Heading = `h${level}` as const;
  return (
    <div className={`notice${failed ? ' notice--error' : ''}`} {...(failed && { role: 'alert' })}>
      <Heading className="notice__title">{title}</Heading>
      <p className="notice__text">{text}</p>
      {action !== undefined && href !== undefined && (
        <a
          className="button"
          href={href}
          onClick={
            onAction &&
            ((event) => {
              event.preventDefault();
              onAction();
            })
          }
        >
          {action}
        </a>
      )}
      {children}
    </div>
  );
}
