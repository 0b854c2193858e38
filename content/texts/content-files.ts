/** What is wrong with an article or a page of content/, to the person who wrote it. Each begins with file and line. */
export const contentFileTexts = {
  at: (file: string, line: number | null, problem: string) =>
    line === null ? `${file}: ${problem}` : `${file}, line ${line}: ${problem}`,

  noFrontMatter: 'the file must begin with front matter between two lines of "---".',
  frontMatter: (why: string) => `the front matter is not YAML: ${why}.`,
  frontMatterField: (field: string, why: string) => `front matter, ${field}: ${why}.`,
  frontMatterShape: 'the front matter must be a list of "field: value".',
  fileName: 'the name of the file is the address of the article: lower-case letters, digits and single hyphens.',
  reservedName: (slug: string) => `"${slug}" is an address of its own. Give the file another name.`,
  updatedBeforePublished: 'front matter, updatedAt: an article cannot be changed before it is published.',
  empty: 'there is no text below the front matter.',

  html: 'HTML is not allowed in the text. Write it in Markdown.',
  image: 'pictures are not drawn. Write a chart, or leave it out.',
  heading: 'headings begin at "##" and do not go below "###".',
  headingWithoutText: 'a heading needs letters or digits.',
  linkTarget: (url: string) =>
    `the link to "${url}" goes nowhere. Use a path of this site (/about), a full https address, or a heading of this page (#results).`,
  deadArticleLink: (url: string) => `the link to "${url}" names an article that is not in content/blog.`,
  deadHeadingLink: (url: string) => `the link to "${url}" names no heading of this page.`,
  noteWithoutText: (name: string) =>
    `the note "${name}" is referred to, but has no text. Add "[^${name}]: …" at the end.`,
  noteUnused: (name: string) => `the note "${name}" is never referred to.`,

  chart: (why: string) => `the chart is not YAML: ${why}.`,
  chartShape: 'a chart must be a list of "field: value".',
  chartType: 'a chart needs a type: bars, dots or line.',
  chartField: (field: string, why: string) => `chart, ${field}: ${why}.`,
  chartOver100: 'chart: a share above 100% cannot be drawn. Use another unit.',
  chartOrder: (name: string) => `chart, ${name}: each x must be greater than the one before.`,
  chartNames: 'chart: two lines have the same name.',
  chartLabels: (label: string) => `chart: two rows are called "${label}".`,

  whatIsWrong: {
    required: 'is missing',
    blank: 'has nothing to read',
    unknown: 'is not a known field',
  },
} as const;

/** Words that stand in every rendered text: notes and figures. */
export const renderedTexts = {
  notes: 'Sources and notes',
  backToText: (number: number, again: number) =>
    again > 1 ? `Back to mention ${again} of note ${number}` : `Back to note ${number} in the text`,
  source: 'Source:',
  numbers: 'The numbers',
  label: 'Answer',
  value: (unit: string) => (unit === '%' ? 'Per cent' : `${unit.charAt(0).toUpperCase()}${unit.slice(1)}`),
} as const;
