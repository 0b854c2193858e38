/** The blog: list, article, and the page for a missing article. */
export const blogTexts = {
  title: 'Blog and Insights',
  description:
    'Articles on reading and making polls: who answers, how a question changes its answers, what percentages hide, and what this site does about it.',
  lede: 'How to read a poll, how to write one, and what a number on this site can and cannot tell you.',
  featuredHeading: 'Featured Articles',
  allHeading: 'All Articles',
  categoryHeading: 'Articles',
  count: (count: number) => (count === 1 ? '1 article' : `${count} articles`),
  /** Articles below the featured ones, which are not repeated there. */
  more: (count: number, featured: number): string =>
    featured === 0 ? blogTexts.count(count) : `${count} more ${count === 1 ? 'article' : 'articles'}`,
  featured: 'Featured',
  categories: 'Categories',
  all: 'All',
  categoryTitle: (category: string) => `${category}: articles`,
  categoryDescription: (category: string, count: number) =>
    `${count === 1 ? 'One article' : `${count} articles`} on reading and making polls, in the category “${category}”.`,
  tags: 'Tags',
  /** The category and author of an article that names none. */
  otherCategory: 'General',
  house: 'The editors',
  by: 'By',
  published: 'Published',
  updated: 'Updated',
  minutes: (minutes: number) => `${minutes} min read`,
  breadcrumb: { home: 'Home', blog: 'Blog' },
  related: 'You might like this',
  back: 'Back to articles',

  /** Shown instead of the list when there are no articles. */
  emptyNotice: (articles: number) =>
    articles === 0 ? { title: 'No Blog Posts', text: "Blog articles will appear here once they're published." } : null,
  missing: {
    title: 'Blog Post Not Found',
    text: "The blog post you're looking for doesn't exist.",
    back: 'Back to Blog',
  },
  gone: { title: 'Article Removed', text: 'This article was removed by its publisher.' },
} as const;
