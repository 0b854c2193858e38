import type { CommunityCategory } from '#contract/vocabulary.ts';
import { communityTexts } from '#texts/community.ts';
import styles from './CommunityList.module.css';
import { communityPath, type CommunityView } from './community-list-view.ts';

interface CommunityListFilterProps {
  readonly view: CommunityView;
  readonly categories: readonly CommunityCategory[];
  readonly onView: (view: CommunityView) => void;
}

/** The category. A form of its own, so that it works without scripts; every change begins at page 1. */
export function CommunityListFilter({ view, categories, onView }: CommunityListFilterProps) {
  return (
    <form className={`no-print ${styles.filter}`} action={communityPath} method="get" aria-label={communityTexts.which}>
      <label className="field">
        <span className="field__label">{communityTexts.category}</span>
        <select
          className="input"
          name="category"
          value={view.category ?? ''}
          onChange={({ target }) =>
            onView({ ...view, page: 1, category: categories.find((category) => category === target.value) ?? null })
          }
        >
          <option value="">{communityTexts.allCategories}</option>
          {categories.map((category) => (
            <option key={category}>{category}</option>
          ))}
        </select>
      </label>
      <button className="button no-js-only" type="submit">
        {communityTexts.apply}
      </button>
    </form>
  );
}
