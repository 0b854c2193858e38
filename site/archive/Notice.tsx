interface NoticeProps {
  readonly title: string;
  readonly text: string;
  readonly failed?: boolean;
  /** What to do, as a link; `onAction` takes it over where scripts run. */
  readonly action?: string;
  readonly href?: string;
  readonly onAction?: () => void;
}

/** What stands in the place of a list that is empty or could not be fetched. */
export function Notice({ title, text, failed = false, action, href, onAction }: NoticeProps) {
  return (
    <div className={`notice${failed ? ' notice--error' : ''}`} {...(failed && { role: 'alert' })}>
      <h3 className="notice__title">{title}</h3>
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
    </div>
  );
}
