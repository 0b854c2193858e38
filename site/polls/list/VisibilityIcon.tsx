import type { ReactNode } from 'react';
import type { Visibility } from '#contract/vocabulary.ts';

const shapes: Readonly<Record<Visibility, ReactNode>> = {
  // A globe.
  public: (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M1.75 8h12.5M8 1.75c-4.5 4-4.5 8.5 0 12.5 4.5-4 4.5-8.5 0-12.5" />
    </>
  ),
  // Two links of a chain.
  unlisted: (
    <path d="M6.5 9.5l3-3M7 4.5l1.75-1.75a3.2 3.2 0 0 1 4.5 4.5L11.5 9M9 11.5l-1.75 1.75a3.2 3.2 0 0 1-4.5-4.5L4.5 7" />
  ),
  // A padlock.
  private: (
    <>
      <path d="M3 7h10v6.5H3z" />
      <path d="M5 7V5a3 3 0 0 1 6 0v2M8 9.5v1.75" />
    </>
  ),
};

/** The icon of a visibility, shown beside its name. */
export function VisibilityIcon({ visibility }: { readonly visibility: Visibility }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
      strokeLinecap="round"
      aria-hidden="true"
    >
      {shapes[visibility]}
    </svg>
  );
}
