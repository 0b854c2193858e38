import type { ReactNode } from 'react';
import { Vane } from './Vane.tsx';

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
  const wholePage = level === 1;
  const look = wholePage ? 'page-problem' : `notice${failed ? ' notice--error' : ''}`;
  return (
    <div className={look} {...(failed && { role: 'alert' })}>
      {wholePage && <Vane share={0.08} dial />}
      <Heading className={wholePage ? undefined : 'notice__title'}>{title}</Heading>
      <p className={wholePage ? 'lede' : 'notice__text'}>{text}</p>
      {action !== undefined && href !== undefined && (
        <a
          className={wholePage ? 'button button--primary' : 'button'}
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
