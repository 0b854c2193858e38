import { historyTexts, pollListTexts } from '#texts/admin-polls.ts';
import { adminTexts, burstTexts, importTexts, moderationTexts, publishTexts } from '#texts/admin.ts';
import own from './Managing.module.css';

/** The sections of the page, in their order. */
const contents = {
  import: importTexts.heading,
  publish: publishTexts.heading,
  imports: historyTexts.heading,
  polls: pollListTexts.heading,
  bursts: burstTexts.heading,
  comments: moderationTexts.reports,
  featured: moderationTexts.featured,
} as const;

export type AdminAnchor = keyof typeof contents;

/** What the page has: it is long, and most visits are for one thing. */
export function AdminContents() {
  return (
    <nav className={own.contents} aria-label={adminTexts.contents}>
      <ul>
        {Object.entries(contents).map(([anchor, heading]) => (
          <li key={anchor}>
            <a href={`#${anchor}`}>{heading}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
