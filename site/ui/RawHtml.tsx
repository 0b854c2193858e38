interface RawHtmlProps {
  /** HTML from our own content, or sanitized on import. */
  readonly html: string;
  readonly className?: string;
}

/** HTML as a part of an island. */
export function RawHtml({ html, className }: RawHtmlProps) {
  return <div className={className} dir="auto" dangerouslySetInnerHTML={{ __html: html }} />;
}
