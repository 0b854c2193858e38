import type { ReactNode } from 'react';
import { Vane } from './Vane.tsx';

interface NoticeProps {
  readonly title: string;
  readonly text: string;
  readonly failed?: boolean;
  /** Heading level: 3 inside a list's section, 2 in place of a section, 1 in place of the page. */
  readonly level?: 1 | 2 | 3;
  /** Label of a link; `onAction` handles its clicks where scripts run. */
  readonly action?: string;
  readonly href?: string;
  readonly onAction?: () => void;
  /** Buttons. */
  readonly children?: ReactNode;
}

/** Replaces a list that is empty or failed to load. */
export function Notice({ title, text, failed = false, level = 3, action, href, onAction, children }: NoticeProps) {
  const Heading = `h${level}` as const;
  const wholePage = level === 1;
  const className = wholePage ? 'page-problem' : `notice${failed ? ' notice--error' : ''}`;
  return (
    <div className={className} {...(failed && { role: 'alert' })}>
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
