import type { CommunityCategory } from '#contract/vocabulary.ts';
import { isPlainPress } from '#site/client/address.ts';
import { PageLink } from '#site/client/PageLink.tsx';
import { communityTexts as texts } from '#texts/community.ts';
import styles from './CommunityList.module.css';
import type { CommunityView } from './community-list-view.ts';
import { communityAddress, communityPath, firstCommunityView } from './community-list-view.ts';

interface CommunityListFilterProps {
  readonly view: CommunityView;
  readonly categories: readonly CommunityCategory[];
  readonly onView: (view: CommunityView) => void;
}

/** The category filter. A GET form, so it works without scripts; every change starts at page 1. */
export function CommunityListFilter({ view, categories, onView }: CommunityListFilterProps) {
  return (
    <form className={`no-print ${styles.filter}`} action={communityPath} method="get" aria-label={texts.which}>
      <label className="field">
        <span className="field__label">{texts.category}</span>
        <select
          className="input"
          name="category"
          value={view.category ?? ''}
          onChange={({ target }) =>
            onView({ ...view, page: 1, category: categories.find((category) => category === target.value) ?? null })
          }
        >
          <option value="">{texts.allCategories}</option>
          {categories.map((category) => (
            <option key={category}>{category}</option>
          ))}
        </select>
      </label>
      <button className="button no-js-only" type="submit">
        {texts.apply}
      </button>
    </form>
  );
}

interface CommunityListSwitchProps {
  readonly view: CommunityView;
  readonly onView: (view: CommunityView) => void;
}

/** Switches between everyone’s polls and the reader’s own, including unlisted and private ones. */
export function CommunityListSwitch({ view, onView }: CommunityListSwitchProps) {
  return (
    <nav className={styles.switch} aria-label={texts.which}>
      {[false, true].map((mine) => {
        const next = { ...firstCommunityView, mine };
        return (
          <a
            key={String(mine)}
            className={styles.choice}
            href={communityAddress(next)}
            aria-current={mine === view.mine ? 'page' : undefined}
            onClick={(event) => {
              if (!isPlainPress(event)) return;
              event.preventDefault();
              onView(next);
            }}
          >
            {mine ? texts.mine : texts.everyones}
          </a>
        );
      })}
    </nav>
  );
}

interface CommunityListPagesProps {
  readonly view: CommunityView;
  /** The page is full, so there may be another one. */
  readonly full: boolean;
  readonly onPage: (page: number) => void;
}

/** Previous and Next as links, so they work without scripts. A short last page still links back. */
export function CommunityListPages({ view, full, onPage }: CommunityListPagesProps) {
  if (!full && view.page === 1) return null;

  const linkTo = (page: number, exists: boolean) => ({
    href: exists ? communityAddress({ ...view, page }) : undefined,
    onPress: () => onPage(page),
  });
  return (
    <nav className={styles.pages} aria-label={texts.pagination}>
      <PageLink text={texts.previous} rel="prev" {...linkTo(view.page - 1, view.page > 1)} />
      <p className="figure">{texts.page(view.page)}</p>
      <PageLink text={texts.next} rel="next" {...linkTo(view.page + 1, full)} />
    </nav>
  );
}
