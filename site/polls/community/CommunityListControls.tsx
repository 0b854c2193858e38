import * as limits from '#contract/limits.ts';
import type { CommunityCategory } from '#contract/vocabulary.ts';
import { communitySorts, communityStates } from '#contract/vocabulary.ts';
import { isPlainPress } from '#site/client/plain-press.ts';
import { PageLink } from '#site/client/PageLink.tsx';
import { communityPath } from '#site/polls/voting/ballot.ts';
import { communityTexts as texts } from '#texts/community.ts';
import styles from './CommunityList.module.css';
import type { CommunityView } from './community-list-view.ts';
import { communityAddress, communityScopes, firstCommunityView } from './community-list-view.ts';

interface CommunityListFilterProps {
  readonly view: CommunityView;
  readonly categories: readonly CommunityCategory[];
  readonly onView: (view: CommunityView) => void;
}

/** Order, state, and category. A GET form, so it works without scripts; every change starts at page 1. */
export function CommunityListFilter({ view, categories, onView }: CommunityListFilterProps) {
  const change = (part: Partial<CommunityView>) => onView({ ...view, page: 1, ...part });
  return (
    <form
      className={`no-print ${styles.filter}`}
      action={communityPath}
      method="get"
      aria-label={texts.which}
      data-touch
    >
      {view.scope !== 'public' && <input type="hidden" name="show" value={view.scope} />}
      <label className="field">
        <span className="field__label">{texts.sort}</span>
        <select
          className="input"
          name="sort"
          value={view.sort}
          onChange={({ target }) => change({ sort: communitySorts.find((sort) => sort === target.value)! })}
        >
          {communitySorts.map((sort) => (
            <option key={sort} value={sort}>
              {texts.sorts[sort]}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span className="field__label">{texts.state}</span>
        <select
          className="input"
          name="state"
          value={view.state ?? ''}
          onChange={({ target }) => change({ state: communityStates.find((state) => state === target.value) ?? null })}
        >
          <option value="">{texts.allStates}</option>
          {communityStates.map((state) => (
            <option key={state} value={state}>
              {texts.states[state]}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span className="field__label">{texts.category}</span>
        <select
          className="input"
          name="category"
          value={view.category ?? ''}
          onChange={({ target }) =>
            change({ category: categories.find((category) => category === target.value) ?? null })
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

/** Switches between everyone’s polls, the reader’s own, and those the reader is invited to. */
export function CommunityListSwitch({ view, onView }: CommunityListSwitchProps) {
  return (
    <nav className={styles.switch} aria-label={texts.which}>
      {communityScopes.map((scope) => {
        const next = { ...firstCommunityView, scope };
        return (
          <a
            key={scope}
            className={styles.choice}
            href={communityAddress(next)}
            aria-current={scope === view.scope ? 'page' : undefined}
            onClick={(event) => {
              if (!isPlainPress(event)) return;
              event.preventDefault();
              onView(next);
            }}
          >
            {texts.scopes[scope]}
          </a>
        );
      })}
    </nav>
  );
}

interface CommunityListPagesProps {
  readonly view: CommunityView;
  /** How many polls all pages have; null: unknown. */
  readonly total: number | null;
  /** The page is full, so there may be another one. */
  readonly full: boolean;
  readonly onPage: (page: number) => void;
}

/** Previous, page numbers, and Next as links, so they work without scripts. */
export function CommunityListPages({ view, total, full, onPage }: CommunityListPagesProps) {
  const pages = total === null ? null : Math.ceil(total / limits.communityPageSize);
  const last = pages ?? (full ? view.page + 1 : view.page);
  if (last <= 1 && view.page === 1) return null;

  const addressOf = (page: number) => communityAddress({ ...view, page });
  const linkTo = (page: number, exists: boolean) => ({
    href: exists ? addressOf(page) : undefined,
    onPress: () => onPage(page),
  });
  return (
    <nav className={styles.pages} aria-label={texts.pagination} data-touch>
      <PageLink text={texts.previous} rel="prev" {...linkTo(view.page - 1, view.page > 1)} />
      <ol className={styles.numbers}>
        {pagesAround(view.page, last).map((page) => (
          <li key={page}>
            <a
              className={styles.number}
              href={addressOf(page)}
              aria-label={texts.page(page)}
              aria-current={page === view.page ? 'page' : undefined}
              onClick={(event) => {
                if (!isPlainPress(event)) return;
                event.preventDefault();
                onPage(page);
              }}
            >
              {page === view.page ? texts.page(page) : page.toLocaleString('en-US')}
            </a>
          </li>
        ))}
      </ol>
      <PageLink text={texts.next} rel="next" {...linkTo(view.page + 1, view.page < last)} />
    </nav>
  );
}

/** The first page, the last, and up to five around the current one. */
export function pagesAround(current: number, last: number): readonly number[] {
  const size = Math.min(limits.pageWindow, last);
  const start = Math.max(1, Math.min(current - Math.floor(size / 2), last - size + 1));
  const middle = Array.from({ length: size }, (_, index) => start + index);
  return [...new Set([1, ...middle, last])].sort((a, b) => a - b);
}
