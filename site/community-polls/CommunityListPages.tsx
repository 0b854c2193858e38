import { isPlainPress } from '#site/client/address.ts';
import { communityTexts } from '#texts/community.ts';
import styles from './CommunityList.module.css';
import { communityAddress, type CommunityView } from './community-list-view.ts';

interface CommunityListPagesProps {
  readonly view: CommunityView;
  /** The page is full, so that there may be another one. */
  readonly full: boolean;
  readonly onPage: (page: number) => void;
}

/** Previous and Next; links, so that they lead somewhere without scripts too. The way back is there on a short page. */
export function CommunityListPages({ view, full, onPage }: CommunityListPagesProps) {
  if (!full && view.page === 1) return null;

  const step = (page: number, there: boolean, text: string, rel: 'prev' | 'next') =>
    there ? (
      <a
        className="button"
        rel={rel}
        href={communityAddress({ ...view, page })}
        onClick={(event) => {
          if (!isPlainPress(event)) return;
          event.preventDefault();
          onPage(page);
        }}
      >
        {text}
      </a>
    ) : (
      <span className="button" role="link" aria-disabled="true">
        {text}
      </span>
    );

  return (
    <nav className={styles.pages} aria-label={communityTexts.pagination}>
      {step(view.page - 1, view.page > 1, communityTexts.previous, 'prev')}
      <p className="figure">{communityTexts.page(view.page)}</p>
      {step(view.page + 1, full, communityTexts.next, 'next')}
    </nav>
  );
}
